#include "tools/fmu_host/probe_runs.hpp"

namespace takt::fmu_host {

nlohmann::json short_run(const TrialPlan& plan, TrialProgress& progress) {
  FmuSession session(plan, progress);
  return {{"digest", session.run(plan.short_steps)}};
}

nlohmann::json reset_run(const TrialPlan& plan, TrialProgress& progress) {
  FmuSession session(plan, progress);
  const std::uint64_t first = session.run(plan.short_steps);
  session.reset();
  return {{"first", first}, {"again", session.run(plan.short_steps)}};
}

nlohmann::json two_instances(const TrialPlan& plan, TrialProgress& progress) {
  FmuSession one(plan, progress), other(plan, progress);
  one.begin(), other.begin();
  progress.begin("stepping two instances");
  for (std::uint64_t k = 0; k < plan.short_steps && !one.ended && !other.ended; ++k)
    one.step(k), other.step(k), one.look(), other.look();
  return {{"first", one.digest()}, {"second", other.digest()}};
}

namespace {

std::uint64_t second_half(FmuSession& session, const TrialPlan& plan, TrialProgress& progress) {
  progress.begin("stepping on");
  session.clear_digest();
  for (std::uint64_t k = plan.short_steps / 2; k < plan.short_steps && !session.ended; ++k)
    session.step(k), session.look();
  return session.digest();
}

/// Errors are findings.
void require(const fmu::Result& result, fmu::Instance& instance) {
  if (!result.done()) throw std::runtime_error(fmu::describe(result, instance));
}

}  // namespace

nlohmann::json state_run(const TrialPlan& plan, TrialProgress& progress) {
  FmuSession session(plan, progress);
  const std::uint64_t middle = plan.short_steps / 2;
  session.run(middle);
  progress.begin("taking the state");
  fmu::SavedState state;
  const fmu::EventInfo next = session.driver().next_event();
  require(session.instance().get_state(state), session.instance());
  std::vector<std::byte> bytes;
  const bool serialises = session.instance().table().can.serialize_state;
  if (serialises) require(session.instance().serialize(state, bytes), session.instance());
  const std::uint64_t straight = second_half(session, plan, progress);
  progress.begin("setting the state");
  require(session.instance().set_state(state), session.instance());
  require(session.driver().resume(session.time(middle), next).result, session.instance());
  session.ended = false;
  nlohmann::json found{{"straight", straight}, {"again", second_half(session, plan, progress)}};
  progress.begin("freeing the state");
  require(session.instance().free_state(state), session.instance());
  if (!serialises) return found;
  found["bytes"] = bytes.size();
  FmuSession other(plan, progress);
  other.begin();
  progress.begin("setting the state from bytes");
  fmu::SavedState copy;
  require(other.instance().deserialize(bytes, copy), other.instance());
  require(other.instance().set_state(copy), other.instance());
  require(other.driver().resume(other.time(middle), next).result, other.instance());
  found["from_bytes"] = second_half(other, plan, progress);
  progress.begin("freeing the state");
  require(other.instance().free_state(copy), other.instance());
  return found;
}

nlohmann::json input_run(const TrialPlan& plan, TrialProgress& progress) {
  FmuSession session(plan, progress);
  if (!session.has_inputs()) return {{"inputs", false}};
  session.run(std::min<std::uint64_t>(plan.short_steps, 200));
  return {{"inputs", true}, {"not_finite", session.not_finite}, {"ended", session.ended}};
}

}  // namespace takt::fmu_host

#!/usr/bin/env python3
"""A built plant as its user sees it: options, exit codes, results, replay, signals.  usage: command_line_test.py EXECUTABLE [SANITIZER]"""
import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

PLANT = os.path.abspath(sys.argv[1])
SANITIZED = len(sys.argv) > 2 and sys.argv[2] != ""
del sys.argv[1:]


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_plant(self, *arguments, expect=0):
        result = subprocess.run([PLANT, "--quiet", *arguments], cwd=self.folder.name, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, expect, result.stdout + result.stderr)
        return result

    def summary(self, run):
        with open(os.path.join(self.folder.name, run, "summary.json")) as file:
            return json.load(file)

    def rows(self, run):
        with open(os.path.join(self.folder.name, run, "signals.csv")) as file:
            return list(csv.reader(file))

    def test_free_run_writes_all_results(self):
        self.run_plant("--for", "2 s", "--out", "a")
        s = self.summary("a")
        for field in ("model", "equations", "pace", "simulated_s", "wall_s", "rtf", "cores", "subsystems", "couplings", "digest"):
            self.assertIn(field, s)
        self.assertEqual((s["model"], s["equations"], s["pace"], s["simulated_s"]), ("two_bodies", 3, "free", 2.0))
        self.assertEqual(set(s["rtf"]), {"mean", "p50", "p99", "p999", "max"})
        flux = [c for c in s["couplings"] if c["kind"] == "flux"][0]
        self.assertTrue(flux["closes"])
        self.assertLessEqual(abs(flux["sent"] - flux["received"] - flux["in_transit"]), 1e-12 * flux["throughput"] + 1e-13)
        self.assertEqual(len(self.rows("a")), 2002)
        with open(os.path.join(self.folder.name, "a", "report.html")) as file:
            report = file.read()
        self.assertIn("<svg", report)
        xml.etree.ElementTree.fromstring(report)  # well-formed
        self.assertIn("Ran to its end as fast as possible", report)
        origin = s["origin"]
        self.assertTrue(all(origin[field] for field in ("started", "host", "cpu", "kernel")), origin)
        self.assertIn("--out a", origin["command"])
        report = report.replace("http://www.w3.org/2000/svg", "")  # a name, nothing that is fetched
        for outside in ("http:", "https:", "src=", "<link", "@import"):
            self.assertNotIn(outside, report)
        self.assertFalse([f for f in os.listdir(os.path.join(self.folder.name, "a")) if f.endswith(".part")])

    def test_steady_start_is_reported_and_stays(self):
        self.run_plant("--start", "steady", "--for", "100 ms", "--out", "a")
        start = self.summary("a")["start"]
        self.assertEqual((start["mode"], start["fixed"], len(start["states"])), ("steady", [], 2))
        self.assertEqual(start["invariants"], ["2*first.t + second.t"])
        rows = [[float(value) for value in row[1:]] for row in self.rows("a")[1:]]
        for row in rows:
            for t in row[:2]:
                self.assertAlmostEqual(t, 1100 / 3, delta=1e-9)
        with open(os.path.join(self.folder.name, "a", "report.html")) as file:
            self.assertIn("Steady start", file.read())
        self.run_plant("--replay", "a", "--out", "b")
        self.run_plant("--start", "given", "--for", "100 ms", "--out", "c")
        self.assertEqual(self.summary("a")["digest"], self.summary("b")["digest"])
        self.assertNotEqual(self.summary("a")["digest"], self.summary("c")["digest"])
        self.assertEqual(self.summary("c")["start"], {"mode": "given"})

    def test_no_steady_state_names_what_moves(self):
        result = self.run_plant("--start", "steady", "--input", "heater=1W", "--for", "100 ms", expect=1)
        self.assertIn("second.t: ", result.stderr)

    def test_runs_are_numbered(self):
        self.run_plant("--for", "10 ms")
        self.run_plant("--for", "10 ms")
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder.name, "runs"))), ["two_bodies-1", "two_bodies-2"])

    def test_paced_run_and_its_replay_have_one_digest(self):
        self.run_plant("--pace", "real", "--late", "any", "--for", "300 ms", "--input", "heater=2 kW@0.1", "--set", "k=5", "--out", "paced")
        self.run_plant("--replay", "paced", "--out", "again")
        self.run_plant("--replay", "paced/inputs.csv", "--out", "third")
        digests = {self.summary(run)["digest"] for run in ("paced", "again", "third")}
        self.assertEqual(len(digests), 1)
        self.assertEqual(self.summary("again")["pace"], "free")
        self.assertEqual(self.rows("paced"), self.rows("again"))
        self.run_plant("--for", "300 ms", "--out", "other")
        self.assertNotIn(self.summary("other")["digest"], digests)

    def test_injected_trouble_is_named_once(self):
        # A busy machine may be late at that very window by itself: then try again. (Judged in virtual time by a guest test.)
        for kind, cause in (("long", "computed long"), ("late", "woken late"), ("blocked", "blocked")):
            for attempt in range(5):
                self.run_plant("--pace", "real", "--late", "any", "--for", "300 ms", "--inject", f"{kind}:100:20000", "--out", f"{kind}{attempt}")
                found = [o for o in self.summary(f"{kind}{attempt}")["overruns"]["list"] if o["macro_step"] == 100]
                if found:
                    break
            self.assertEqual(len(found), 1)
            # On a busy machine the kernel's counters may account for the same stretch.
            self.assertIn(found[0]["cause"], (cause, "stolen by the host", "pre-empted"))

    def late_by(self, cause, trouble, *arguments):
        """Evidence of incidents of a run in real time that somebody disturbs. A busy machine may add its own: then once more."""
        for attempt in range(5):
            out = f"{trouble.__name__}{attempt}"
            plant = subprocess.Popen([PLANT, "--pace", "real", "--late", "any", "--for", "2 s", "--out", out, "--quiet", *arguments], cwd=self.folder.name, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.7)
            trouble(plant)
            plant.wait(timeout=60)
            found = [o["evidence"] for o in self.summary(out)["overruns"]["list"] if o["cause"] == cause]
            if found:
                return found
        return []

    def test_a_stopped_process_is_named_so(self):
        def stop(plant):
            plant.send_signal(signal.SIGSTOP)
            time.sleep(0.3)
            plant.send_signal(signal.SIGCONT)

        self.assertIn("continued by SIGCONT", "".join(self.late_by("stopped", stop)))

    @unittest.skipUnless(os.geteuid() == 0 and os.cpu_count() > 1 and not SANITIZED, "needs root, and a CPU for the sampler")
    def test_who_takes_the_cpu_is_named(self):
        def hog(_):
            code = f"import os, time; os.sched_setaffinity(0, {{{cpu}}}); os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(97))\nend = time.time() + 0.3\nwhile time.time() < end: pass"
            subprocess.run([sys.executable, "-c", code], check=True)

        cpu = max(os.sched_getaffinity(0))
        self.assertIn("SCHED_FIFO 97", "".join(self.late_by("pre-empted", hog, "--cpu", str(cpu))))

    def test_sampled_fluxes_fail_the_ledger(self):
        result = self.run_plant("--sample-fluxes", "--out", "a", expect=1)
        self.assertIn("does not close", result.stdout)
        self.assertFalse(self.summary("a")["ledger_closes"])
        self.assertIn("raised the alarm", result.stdout)
        flux = [c for c in self.summary("a")["couplings"] if c["kind"] == "flux"][0]
        self.assertGreater(flux["alarms"], 0)
        self.run_plant("--out", "b")
        self.assertEqual([c["alarms"] for c in self.summary("b")["couplings"] if c["kind"] == "flux"], [0])

    def test_policy_stop_ends_in_order_with_code_1(self):
        self.run_plant("--pace", "real", "--late", "any", "--for", "1 s", "--policy", "stop", "--inject", "late:50:5000", "--out", "a", expect=1)
        s = self.summary("a")
        self.assertIn("overrun policy", s["stopped_because"])
        self.assertEqual(len(self.rows("a")), s["macro_steps"] + 2)

    def test_wrong_use_is_refused_with_code_2(self):
        for arguments in (["--set", "kk=3"], ["--set", "k=3 V"], ["--set", "heater=3"], ["--input", "x=1"], ["--for", "soon"], ["--pace", "slow"],
                          ["--replay", "nothing"], ["--wrong"], ["--inject", "long:1"], ["--for", "-1"],
                          ["--for", "1e-12s"], ["--input", "heater=5@1e10"], ["--input", "heater=5@-1"], ["--replay", "/dev/null"],
                          ["--inject", "long:1e300:1", "--pace", "real"]):
            result = self.run_plant(*arguments, expect=2)
            self.assertTrue(result.stderr)
            self.assertEqual(os.listdir(self.folder.name), [])

    def test_unwritable_place_fails_with_code_1(self):
        open(os.path.join(self.folder.name, "file"), "w").close()
        self.run_plant("--out", "file/below", expect=1)

    def start(self, **options):
        process = subprocess.Popen([PLANT, "--pace", "real", "--late", "any", "--for", "60 s", "--out", "a"], cwd=self.folder.name,
                                   **{"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, **options})
        if process.stdout:
            self.addCleanup(process.stdout.close)
        self.wait_for_rows()
        return process

    def wait_for_rows(self, more_than=500):
        until = time.monotonic() + 30
        while time.monotonic() < until:
            try:
                if len(self.rows("a")) > more_than:
                    return
            except FileNotFoundError:
                pass
            time.sleep(0.1)
        self.fail("the run does not record")

    def test_interrupt_ends_in_order_with_results(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            shutil.rmtree(os.path.join(self.folder.name, "a"), ignore_errors=True)
            process = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=10), 4)
            self.assertIn("stopped by the user", self.summary("a")["stopped_because"])
            self.assertEqual((self.summary("a")["outcome"], self.summary("a")["exit_code"]), ("interrupted", 4))
            self.assertIn("Interrupted after", self.summary("a")["verdict"])

    def test_signal_that_comes_twice_at_once_ends_in_order(self):
        process = self.start()
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=10), 4)
        self.assertIn("(SIGTERM)", self.summary("a")["stopped_because"])

    def test_closed_terminal_ends_in_order_with_code_1(self):
        controller, terminal = os.openpty()
        self.addCleanup(os.close, controller)
        process = self.start(stdin=terminal, stdout=terminal, stderr=terminal)
        os.close(terminal)
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=10), 1)
        self.assertIn("stopped: terminal closed (SIGHUP)", self.summary("a")["stopped_because"])

    def test_ignored_hang_up_stays_ignored(self):
        process = self.start(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        self.wait_for_rows(len(self.rows("a")) + 500)
        process.terminate()
        self.assertEqual(process.wait(timeout=10), 4)

    def test_missed_deadlines_have_a_verdict_and_an_exit_code(self):
        too_long = ("--pace", "real", "--for", "300 ms", "--inject", "long:50:30000", "--quiet")
        for late, code in (((), 3), (("--late", "any"), 0), (("--late", "50 %"), 0), (("--late", "100000"), 0), (("--late", "0"), 3), (("--tolerate", "X043"), 0)):
            self.run_plant(*too_long, *late, "--out", "a", expect=code)
            s = self.summary("a")
            self.assertGreater(s["overruns"]["count"], 0)
            self.assertEqual((s["exit_code"], s["outcome"], s["trusted"], s["failed"]), (code, "late" if code else "passed", code == 0, False), s["verdict"])
            self.assertIn("Missed ", s["verdict"])
            self.assertEqual([v["code"] for v in s["verdicts"]], ["X043"] if code or "X043" in late else [])
            shutil.rmtree(os.path.join(self.folder.name, "a"))
        for wrong in ("-1", "none", "3 s", "101 %", "1e3", "5 % of them"):
            self.run_plant("--pace", "real", f"--late={wrong}", "--out", "b", expect=2)

    def test_run_goes_on_when_nobody_reads_any_more(self):
        # As `takt run ... 2>&1 | head -1` does, and a reader that stands still with the pipe full.
        for read_end_closes in (True, False):
            reader, writer = os.pipe()
            os.set_blocking(writer, False)
            while not read_end_closes:
                try:
                    os.write(writer, b"x" * 4096)
                except BlockingIOError:
                    break
            os.set_blocking(writer, True)
            process = subprocess.Popen([PLANT, "--pace", "real", "--late", "any", "--for", "11 s", "--out", "a"], cwd=self.folder.name, stderr=writer,
                                       stdout=writer if read_end_closes else subprocess.DEVNULL,
                                       preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_DFL))
            os.close(writer)
            if read_end_closes:
                os.close(reader)
            self.assertEqual(process.wait(timeout=60), 0)
            if not read_end_closes:
                os.close(reader)
            self.assertEqual(self.summary("a")["macro_steps"], 11000)

    def test_closed_descriptors_do_not_take_the_place_of_files(self):
        result = subprocess.run(["sh", "-c", 'exec "$0" --for "1 s" --out a <&- >&- 2>&-', PLANT], cwd=self.folder.name, timeout=60)
        self.assertEqual(result.returncode, 1)  # the table could not be printed
        with open(os.path.join(self.folder.name, "a", "inputs.csv")) as file:
            self.assertEqual([line for line in file if not line.startswith("#")], ["time_ns,input,value\n", "0,heater,0\n"])
        self.assertEqual((len(self.rows("a")), self.summary("a")["macro_steps"]), (1002, 1000))

    def test_what_cannot_be_printed_fails(self):
        for arguments in (["--list"], ["--for", "10 ms", "--no-results"], ["--for", "10 ms", "--json", "--out", "a"], ["--for", "10 ms", "--out", "a"]):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PLANT, "--quiet", *arguments], cwd=self.folder.name, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn("cannot write to standard output: No space left on device", result.stderr)

    def test_full_disk_is_told_and_leaves_whole_lines_and_a_summary(self):
        limit = 200_000
        result = subprocess.run([PLANT, "--pace", "real", "--late", "any", "--for", "12 s", "--no-report", "--out", "a"], cwd=self.folder.name, capture_output=True, text=True, timeout=60,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(result.returncode, 1)
        self.assertIn("signals.csv: File too large; the run goes on", result.stderr)
        s = self.summary("a")
        self.assertTrue(s["failed"])
        self.assertEqual(s["macro_steps"], 12000)
        self.assertTrue(any("cannot write a/signals.csv" in warning for warning in s["warnings"]), s["warnings"])
        rows = self.rows("a")
        self.assertGreater(len(rows), 1000)
        self.assertTrue(all(len(row) == len(rows[0]) and "" not in row for row in rows))

    def test_log_with_other_line_ends_is_replayed_the_same(self):
        self.run_plant("--for", "300 ms", "--input", "heater=2 kW@0.1", "--set", "k=5", "--out", "a")
        log = os.path.join(self.folder.name, "a", "inputs.csv")
        with open(log) as file:
            text = file.read()
        with open(log, "w", newline="\r\n") as file:
            file.write(text)
        self.run_plant("--replay", "a", "--out", "b")
        self.assertEqual(self.summary("a")["digest"], self.summary("b")["digest"])
        self.assertEqual(self.summary("b")["macro_steps"], 300)

    def test_input_after_the_end_is_told(self):
        self.run_plant("--for", "10 ms", "--input", "heater=1W@1", "--out", "a")
        self.assertTrue(any("after the end of the run" in warning for warning in self.summary("a")["warnings"]))

    def test_killed_run_leaves_whole_lines_and_can_be_replayed(self):
        process = self.start()
        process.kill()
        process.wait()
        rows = self.rows("a")
        self.assertGreater(len(rows), 500)
        self.assertTrue(all(len(row) == len(rows[0]) for row in rows))
        self.assertNotIn("summary.json", os.listdir(os.path.join(self.folder.name, "a")))
        part = self.run_plant("--replay", "a", "--out", "b", expect=1)
        self.assertRegex(part.stdout, r"X052: a: was not finished: replayed up to [0-9.]+ s")
        reached = self.summary("b")["simulated_s"]
        self.assertGreater(reached, 0.0)
        self.assertFalse(self.summary("b")["trusted"])
        self.run_plant("--replay", "a", "--tolerate", "X052", "--out", "c")
        self.run_plant("--replay", "a", "--for", "10 ms", "--out", "d")  # all of what was asked for is known
        beyond = self.run_plant("--replay", "a", "--for", f"{reached + 1} s", "--out", "e", expect=1)
        self.assertIn("what follows is none of that run", beyond.stdout)

    def test_replay_of_a_run_that_is_still_going_says_so(self):
        process = self.start()
        result = self.run_plant("--replay", "a", "--out", "b", expect=1)
        process.kill()
        process.wait()
        self.assertIn("was not finished (it is still under way): replayed up to", result.stdout)

    def test_replay_beyond_the_end_of_a_run_is_told(self):
        self.run_plant("--for", "20 ms", "--out", "a")
        self.run_plant("--replay", "a", "--for", "30 ms", "--out", "b")
        self.assertTrue(any("what follows has the inputs that it ended with" in w for w in self.summary("b")["warnings"]))

    @unittest.skipIf(SANITIZED, "a sanitizer touches pages of its own")
    def test_paced_run_with_locked_memory_has_no_page_faults(self):
        self.run_plant("--pace", "real", "--late", "any", "--for", "500 ms", "--out", "a")
        s = self.summary("a")
        if any("cannot lock memory" in warning for warning in s["warnings"]):
            self.skipTest("memory cannot be locked here")
        core = s["cores"][0]
        self.assertEqual((core["minor_faults"], core["major_faults"]), (0, 0))

    def test_list_names_plant_memory(self):
        self.assertIn("k [W/K]", self.run_plant("--list").stdout)


if __name__ == "__main__":
    unittest.main()

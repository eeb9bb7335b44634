"""Plants on several hosts, each a process of this machine, for tests: in a network of their own where that may be had."""
import json
import os
import subprocess
import sys

may_have_networks = os.geteuid() == 0 and subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode == 0
if may_have_networks and "TAKT_OWN_NETWORK" not in os.environ:  # a network of its own: other tests use the same domains
    os.environ["TAKT_OWN_NETWORK"] = "1"
    os.execvp("unshare", ["unshare", "-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, *sys.argv])

failures = []


def check(holds, text):
    print(("ok    " if holds else "FAIL  ") + text, flush=True)
    if not holds:
        failures.append(text)


class Rig:
    """A plant built with a rig of these hosts: [(name, computes)]; more: lines of the table of each."""

    def __init__(self, takt, work, plant, hosts, interfaces=None, head='wait = "20 s"', pace="free", more=None):
        self.takt, self.plant, self.hosts = takt, plant, [name for name, _ in hosts]
        self.file = work / ("_".join(self.hosts) + f"_{plant.name}.toml")
        text = f'[rig]\npace = "{pace}"\nlate = "any"\n[hosts]\ndomain = 42\n{head}\n'
        for number, (name, computes) in enumerate(hosts):
            text += f'[host.{name}]\ninterface = "{interfaces[number] if interfaces else "lo"}"\n'
            if computes:
                text += f"computes = {json.dumps(computes)}\n"
            text += (more or {}).get(name, "")
        self.file.write_text(text)
        self.folder = work / self.file.stem
        built = subprocess.run([takt, "build", plant, "--rig", self.file, "--out", self.folder], capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(built.stderr)
        self.executable = built.stdout.strip().splitlines()[-1]

    def start(self, host, *arguments, prefix=()):
        return subprocess.Popen([*prefix, self.executable, *(["--host", host] if host != self.hosts[0] else []), *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, out, *arguments, prefixes=None, timeout=300):
        """On all hosts. -> exit code of the leader, its summary, what all have said"""
        prefixes = prefixes or {}
        others = [self.start(host, prefix=prefixes.get(host, ())) for host in self.hosts[1:]]
        leader = self.start(self.hosts[0], "--json", "--quiet", "--out", str(out), *arguments, prefix=prefixes.get(self.hosts[0], ()))
        output, said = leader.communicate(timeout=timeout)
        for other in others:
            out_text, error = other.communicate(timeout=30)
            said += error
            if leader.returncode == 0 and other.returncode != 0:
                said += f"a host ended with {other.returncode}"
        return leader.returncode, json.loads(output) if output.startswith("{") else {}, said

    def alone(self, out, *arguments):
        done = subprocess.run([self.executable, "--one-host", "--audit", "off", "--json", "--quiet", "--out", str(out), *arguments], capture_output=True, text=True, timeout=300)
        return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else {}, done.stderr

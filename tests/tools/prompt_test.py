#!/usr/bin/env python3
"""prompt_test.py TAKT PLANT   What a user meets at the prompt: help, completion, manual pages, names of signals. PLANT: the executable of any plant."""

import contextlib
import fcntl
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

TAKT, PLANT = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
SOURCE = pathlib.Path(__file__).resolve().parents[2]


def said(*command, cwd=SOURCE, **environment):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, cwd=cwd, env={**os.environ, **environment})


def commands():
    return re.findall(r"^  (\w+)", said(TAKT, "--help").stdout.split("commands:")[1].split("`takt COMMAND")[0], re.MULTILINE)


def subcommands(text):
    return re.findall(r"^  (\w+) ", text.split("Subcommands:")[1], re.MULTILINE) if "Subcommands:" in text else []


def helps():
    """(words of the command, its help) of all commands and subcommands"""
    for name in commands():
        text = said(TAKT, name, "--help").stdout
        yield [name], text
        for sub in subcommands(text):
            yield [name, sub], said(TAKT, name, sub, "--help").stdout


class Help(unittest.TestCase):
    def test_fits_100_columns_and_begins_with_an_example(self):
        seen = list(helps())
        self.assertGreater(len(seen), 50)
        for words, text in seen:
            with self.subTest(command=words):
                self.assertEqual([line for line in text.splitlines() if len(line) > 100], [])
                head, rest = text.split("Usage:", 1)
                examples = re.split(r"examples?:\n", head)[1]
                self.assertRegex(examples, rf"  takt {words[0]}\b")
                self.assertTrue(all(re.search(rf"\b{word}\b", examples) for word in words))
                self.assertIn("--help", rest)

    def test_of_a_plant_too(self):
        text = said(PLANT, "--help").stdout
        self.assertEqual([line for line in text.splitlines() if len(line) > 100], [])
        self.assertIn("example:\n  ", text.split("Usage:")[0])

    def test_fits_a_narrow_terminal(self):
        """All but examples, which are to be copied, and words that are longer."""
        for words in ([], ["check"], ["scenario"], ["new"]):
            for columns in (60, 80):
                script = f'stty cols {columns}; "$0" "$@" --help'
                text = said("script", "-qec", shlex.join(["sh", "-c", script, str(TAKT), *words]), "/dev/null").stdout.replace("\r", "")
                rest = "\n".join(block for block in text.split("\n\n") if not block.startswith("example"))
                with self.subTest(words=words, columns=columns):
                    self.assertIn("sage:", rest)
                    self.assertEqual([line for line in rest.splitlines() if len(line) > columns and " " in line.strip()], [])

    def test_list_of_commands_fits(self):
        self.assertEqual([line for line in said(TAKT, "--help").stdout.splitlines() if len(line) > 100], [])


class Misspelt(unittest.TestCase):
    def test_a_value_that_is_none_of_a_list(self):
        result = said(TAKT, "check", "config/plants/rc", "--show", "netwrok")
        self.assertEqual(result.returncode, 2)
        self.assertIn("'netwrok' is none of network, tree, dae", result.stderr)
        self.assertIn('did you mean "network"?', result.stderr)

    def test_a_command_of_tap_behind_no_run(self):
        result = said(TAKT, "tap", "tunne")
        self.assertEqual(result.returncode, 2)
        self.assertIn("tunne", result.stderr)
        self.assertIn('did you mean "tune"', result.stderr)

    def test_an_option_of_the_executable_before_anything_is_built(self):
        for command in (["run"], ["scenario"], ["sweep", "--vary", "amplitude = 1 V .. 2 V / 2", "--out", "swept"]):
            result = said(TAKT, *command, "config/plants/rc", "--paec", "free")
            self.assertEqual(result.returncode, 2)
            self.assertIn('unknown option --paec; did you mean "--pace"?', result.stderr)
            self.assertNotIn("compil", result.stderr)


class Completion(unittest.TestCase):
    def next(self, *words):
        lines = said(TAKT, "completion", "--words", *words).stdout.splitlines()
        return [line.split("\t")[0] for line in lines]

    def test_commands_options_and_values(self):
        self.assertEqual(self.next("che"), ["check"])
        self.assertEqual(set(commands()), set(self.next("")))
        self.assertEqual(self.next("check", "--sh"), ["--show"])
        self.assertEqual(self.next("check", "--show", "fmu"), ["fmu-cs", "fmu-me"])
        self.assertEqual(self.next("check", "config/plants/rc", "--json", "--gr"), ["--graph"])
        self.assertEqual(self.next("can", "du"), ["dump"])
        self.assertIn("--dbc", self.next("can", "dump", "--"))
        self.assertEqual(self.next("fmu", "export", "--k"), ["--kind"])
        self.assertEqual(self.next("tap", "runs/ev-1", "chec"), ["checkpoint"])
        self.assertEqual(self.next("new", "x", "--like", "b"), ["buck"])
        self.assertEqual(self.next("new", "x", "--like=b"), ["--like=buck"])
        self.assertEqual(self.next("new", "x", "--like", "=", "b"), ["buck"])  # words of bash
        self.assertEqual(self.next("schema", ""), ["plant", "rig", "scenario"])

    def test_files_are_left_to_the_shell(self):
        for words in (["check", ""], ["tap", ""], ["new", ""], ["schema", "plant", ""], ["run", "plant", "--scenario", ""]):
            with self.subTest(words=words):
                self.assertEqual(self.next(*words), [])

    def test_options_of_the_executable_behind_run(self):
        self.assertEqual(self.next("run", "config/plants/rc", "--pace", ""), ["real", "free"])
        self.assertIn("--scenario", self.next("run", "config/plants/rc", "--s"))
        self.assertEqual(self.next("check", "config/plants/rc", "--pac"), [])

    def test_a_value_of_no_list_is_left_to_the_shell(self):
        self.assertEqual(self.next("check", "--rig", ""), [])

    def test_every_option_of_every_help_is_offered(self):
        for words, text in helps():
            options = set(re.findall(r"^  (?:-h,)?(--[a-z0-9-]+)", text, re.MULTILINE))
            with self.subTest(command=words):
                self.assertLessEqual(options, set(self.next(*words, "--")))

    def test_in_bash(self):
        script = 'source <("$1" completion bash); COMP_WORDS=("$1" check --show fm); COMP_CWORD=3; _takt; echo "${COMPREPLY[*]}"; complete -p takt'
        result = said("bash", "-c", script, "bash", TAKT)
        self.assertEqual(result.stdout.splitlines()[0], "fmu-cs fmu-me", result.stderr)
        self.assertIn("-F _takt takt", result.stdout)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_in_zsh(self):
        script = 'autoload -U compinit; compinit -D -u; source <("$1" completion zsh); _describe() { print -l "${(@P)2}" }; words=("$1" check --show fm); CURRENT=4; _takt; print ${_comps[takt]}'
        result = said("zsh", "-f", "-c", script, "zsh", TAKT)
        self.assertEqual(result.stdout.split(), ["fmu-cs:", "fmu-me:", "_takt"], result.stderr)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_in_fish(self):
        result = said("fish", "--no-config", "-c", f"{TAKT} completion fish | source; function takt; {TAKT} $argv; end; complete -C 'takt check --show fm'")
        self.assertEqual([line.split()[0] for line in result.stdout.splitlines()][:2], ["fmu-cs", "fmu-me"], result.stderr)

    def test_a_shell_that_is_not_known(self):
        self.assertEqual(said(TAKT, "completion", "bsh").returncode, 2)


class Man(unittest.TestCase):
    def test_every_command_has_a_page_with_its_options(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(said(TAKT, "man", "--out", folder).returncode, 0)
            pages = {path.stem: path for path in pathlib.Path(folder).glob("*.1")}
            self.assertEqual(set(pages), {"takt"} | {f"takt-{name}" for name in commands()})
            for words, text in helps():
                page = pages[f"takt-{words[0]}"].read_text().replace("\\-", "-")
                with self.subTest(command=words):
                    for option in set(re.findall(r"^  (?:-h,)?(--[a-z0-9-]+)", text, re.MULTILINE)):
                        self.assertIn(f"\\fB{option}\\fR", page)
            if shutil.which("groff"):
                for name, path in pages.items():
                    result = said("groff", "-man", "-Tascii", "-ww", path)
                    with self.subTest(page=name):
                        self.assertEqual((result.returncode, result.stderr), (0, ""))
                        self.assertIn("EXAMPLE", re.sub(".\x08", "", result.stdout))  # without what makes it bold
            self.assertEqual(said(TAKT, "man", "check").stdout, pages["takt-check"].read_text())
            self.assertIn('did you mean "check"', said(TAKT, "man", "chekc").stderr)


class Signals(unittest.TestCase):
    def test_are_those_of_the_built_plant(self):
        with tempfile.TemporaryDirectory() as folder:
            listed = said(TAKT, "run", "config/plants/rc", "--build-dir", folder, "--list")
        built = re.findall(r"^(\w+) +\S+ +(\S+ \[.*\])$", listed.stdout, re.MULTILINE)
        told = re.findall(r"^(\w+) +(\S+ \[.*?\])(?: = \S+)?$", said(TAKT, "signals", "config/plants/rc").stdout, re.MULTILINE)
        self.assertGreater(len(built), 20)
        self.assertEqual(built, told)

    def test_some_by_a_pattern(self):
        told = said(TAKT, "signals", "config/plants/ev", "solid.*.t").stdout.splitlines()
        self.assertGreater(len(told), 10)
        self.assertTrue(all(re.fullmatch(r"(?:signal|output) +solid\.\S+\.t \[K\]", line) for line in told), told)

    def test_none_is_an_error_with_what_was_meant(self):
        result = said(TAKT, "signals", "config/plants/rc", "electric.smoth.v")
        self.assertEqual(result.returncode, 2)
        self.assertIn('did you mean "electric.smooth.v"', result.stderr)


@contextlib.contextmanager
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield pathlib.Path(name)


def files_in(top):
    return {str(path.relative_to(top)) for path in top.rglob("*") if not path.is_dir() or path.is_symlink()}


class New(unittest.TestCase):
    FILES = {"README.md", "plant.toml", "losses.csv", "test.toml"}

    def test_in_a_folder_that_is_not_there_or_empty(self):
        with folder() as work:
            (work / "my plant").mkdir()
            (work / "elsewhere").mkdir()
            (work / "link").symlink_to("elsewhere")
            for name, cwd, made in [("demo", work, "demo"), ("a/b/", work, "a/b"), (".", work / "my plant", "my plant"), ("link", work, "elsewhere")]:
                with self.subTest(name=name):
                    result = said(TAKT, "new", name, "--like", "buck", cwd=cwd)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertEqual(files_in(work / made), self.FILES)
                    self.assertEqual((work / made / "README.md").read_text().splitlines()[0], f"# {pathlib.Path(made if name != 'link' else name).name}")
            self.assertEqual({path.name for path in work.iterdir()}, {"demo", "a", "my plant", "link", "elsewhere"})
            self.assertTrue((work / "link").is_symlink())

    def test_writes_over_nothing(self):
        with folder() as work:
            (work / "file").write_text("mine")
            (work / "full").mkdir()
            (work / "full/.hidden").write_text("mine")
            (work / "lost").symlink_to("nowhere")
            before = files_in(work)
            for name in ("file", "full", "full/", ".", "..", "/", "lost", ""):
                with self.subTest(name=name):
                    result = said(TAKT, "new", name, "--like", "buck", cwd=work)
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn("nothing was written", result.stderr)
            self.assertNotEqual(said(TAKT, "new", "file/demo", cwd=work).returncode, 0)
            self.assertEqual(files_in(work), before)

    def test_its_commands_can_be_pasted(self):
        with folder() as work:
            told = said(TAKT, "new", "bob's plant", "--like", "buck", cwd=work).stdout
            line = next(line for line in told.splitlines() if "cd " in line)
            self.assertEqual(said("sh", "-c", f"{line} && ls plant.toml", cwd=work).stdout, "plant.toml\n")

    def test_a_kind_that_is_not_known(self):
        result = said(TAKT, "new", "x", "--like", "buk")
        self.assertEqual(result.returncode, 2)
        self.assertIn('did you mean "buck"?', result.stderr)


class Clean(unittest.TestCase):
    def build(self, work, cache):
        work.mkdir(exist_ok=True)
        compiled = os.environ.get("CCACHE_DIR", pathlib.Path.home() / ".cache/ccache")
        result = said(TAKT, "run", SOURCE / "config/plants/rc", "--pace", "free", "--for", "1 ms", "--out", "out", cwd=work, XDG_CACHE_HOME=str(cache), CCACHE_DIR=str(compiled))
        self.assertEqual(result.returncode, 0, result.stderr)
        return next(path for path in (work / ".takt").iterdir() if (path / "bin").is_dir())

    def clean(self, work, *options, **environment):
        result = said(TAKT, "clean", *options, cwd=work, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_takes_only_what_builds_have_made_and_nobody_uses(self):
        with folder() as work:
            build = self.build(work, work / "cache")
            mine = {".takt/notes.txt", ".takt/project/CMakeLists.txt", ".takt/project/lock", ".takt/project/build/x", f".takt/{build.name}/mine.txt", f".takt/{build.name}/bin/mine"}
            for name in mine:
                (work / name).parent.mkdir(parents=True, exist_ok=True)
                (work / name).write_text("mine")
            results = {name for name in files_in(work) if not name.startswith((".takt", "cache"))}
            self.assertIn("out/report.html", results)
            before = files_in(work)
            self.assertRegex(self.clean(work, "--dry-run"), r"1 build, \d+ MB would go\n")
            with (next(build.glob("bin/*/in_use"))).open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH)
                self.assertIn(f".takt/{build.name} stays: its executable is in use", self.clean(work))
            self.assertEqual(files_in(work), before)
            told = self.clean(work)
            self.assertRegex(told, r"1 build, \d+ MB gone\n")
            for stays in (".takt/notes.txt", ".takt/project", f".takt/{build.name}/mine.txt", f".takt/{build.name}/bin/mine"):
                self.assertIn(f"  {stays} stays: ", told)
            self.assertEqual({name for name in files_in(work) if not name.startswith("cache")}, mine | results)

    def test_nothing_is_left_of_builds_alone(self):
        with folder() as work:
            self.assertIn(".takt: no builds", self.clean(work))
            self.build(work, work / "cache")
            self.clean(work)
            self.assertFalse((work / ".takt").exists())

    def test_of_a_link_what_it_leads_to_is_looked_at_alike(self):
        with folder() as work:
            (work / "disk").mkdir()
            (work / "disk/mine").write_text("mine")
            (work / ".takt").symlink_to("disk")
            self.build(work, work / "cache")
            self.clean(work)
            self.assertTrue((work / ".takt").is_symlink())
            self.assertEqual(files_in(work / "disk"), {"mine"})

    def test_the_cache_only_when_asked_and_only_builds_in_it(self):
        with folder() as work:
            cache = work / "cache"
            (cache / "takt/wheels").mkdir(parents=True)
            (cache / "takt/wheels/x.whl").write_text("mine")
            odd = work / "50% # done"  # CMake stumbles over such a name: compiled in the cache
            self.build(odd, cache)
            self.assertEqual(len(list(cache.glob("takt/*/CMakeLists.txt"))), 1)
            self.clean(odd, XDG_CACHE_HOME=str(cache))
            self.assertFalse((odd / ".takt").exists())
            self.assertEqual(len(list(cache.glob("takt/*/CMakeLists.txt"))), 1)
            self.clean(odd, "--cache", XDG_CACHE_HOME=str(cache))
            self.assertEqual(files_in(cache / "takt"), {"wheels/x.whl"})


def on_a_terminal(*command, until=None, **more):
    """What is printed there; where `until` appears the command is ended."""
    controller, terminal = os.openpty()
    process = subprocess.Popen([str(word) for word in command], stdin=terminal, stdout=terminal, stderr=terminal, **more)
    os.close(terminal)
    printed = b""
    with contextlib.suppress(OSError):  # the last that had the terminal is gone
        while piece := os.read(controller, 4096):
            printed += piece
            if until and re.search(until, printed.decode(errors="replace")):
                process.terminate()
    process.wait()
    os.close(controller)
    return printed.decode()


class Waits(unittest.TestCase):
    """What takes seconds says on a terminal what it does and how far it is. A compiler that sleeps makes it take seconds anywhere."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "slow").mkdir()
        compiler = self.folder / "slow" / "c++"
        compiler.write_text(f'#!/bin/sh\ncase "$*" in *cmTC*) ;; *" -o "*) sleep 3 ;; esac\nexec {shutil.which("c++")} "$@"\n')  # cmTC: CMake tries it
        compiler.chmod(0o755)
        self.slow = {**os.environ, "PATH": f"{compiler.parent}:{os.environ['PATH']}", "CCACHE_DISABLE": "1"}
        self.slow.pop("CXX", None)

    def run_on_a_terminal(self, *options):
        return on_a_terminal(TAKT, "run", SOURCE / "config/plants/rc", "--for", "10 ms", "--no-results", *options, cwd=self.folder, env=self.slow)

    def test_compiling(self):
        printed = self.run_on_a_terminal()
        self.assertRegex(printed, r"\r\x1b\[Ktakt: compiling rc, (\d+ of \d+|\d+ %) \(\d+ s so far\)")
        self.assertRegex(printed, r"\r\x1b\[Ktakt: compiled in ")  # nothing is left of the line before
        self.assertIn("simulated", printed.split("compiled in")[1])

    def test_nothing_with_quiet(self):
        printed = self.run_on_a_terminal("--quiet")
        self.assertIn("takt: compiling rc\r\n", printed)
        self.assertNotIn("\x1b[K", printed)

    def test_nothing_where_there_is_no_terminal(self):
        result = said(TAKT, "build", SOURCE / "config/plants/rc", cwd=self.folder, **self.slow)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, r"^takt: configuring rc\ntakt: compiling rc\ntakt: compiled in [^\n]*\n$")

    def test_solving_tells_how_far_it_is(self):
        command = [TAKT, "reference", SOURCE / "config/plants/rc", "--for", "1000000 s", "--out", "tight"]
        until = r"\r\x1b\[Ktakt: solving rc, [\d.]+ of 1e\+06 s simulated \(\d+ s so far\)"
        self.assertRegex(on_a_terminal(*command, until=until, cwd=self.folder), until)

    def test_a_narrow_terminal_gets_a_line_that_fits(self):
        command = shlex.join([str(TAKT), "reference", str(SOURCE / "config/plants/rc"), "--for", "1000000 s", "--out", "tight"])
        until = r"\x1b\[Ktakt: solving rc[^\r]*\r\x1b\[K"
        printed = on_a_terminal("sh", "-c", f"stty cols 30; exec {command}", until=until, cwd=self.folder)
        line = re.search(until, printed)
        self.assertIsNotNone(line, printed)
        self.assertEqual(len(line[0].split("\r")[0].removeprefix("\x1b[K")), 29)

    def test_running_scenarios_counts_them(self):
        (self.folder / "long.toml").write_text('[scenario]\ntitle = "long"\n[[step]]\nafter = "100000000 s"\nexpect = "1 > 0"\n')
        command = [TAKT, "scenario", SOURCE / "config/plants/rc", "long.toml", "--out", "out"]
        until = r"takt: running scenarios, 0 of 1 have ended, 0 failed \(\d+ s so far\)"
        self.assertRegex(on_a_terminal(*command, until=until, cwd=self.folder), until)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)

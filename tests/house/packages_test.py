#!/usr/bin/env python3
"""What a build used lies in what tools/install_packages.sh installs: a machine that has run tests has more, and hides what is missing.

packages_test.py BUILD ROOT    1 where it does not, 77 where there is no dpkg or the build is not one that the scripts make

tools/demo.sh and tools/test.sh are judged, each with the groups that it installs and the targets that it builds:
- headers in ninja's log of dependencies; libraries and programs in the commands; libraries that the executables load;
- files of CMake packages and modules, which make CMake run again when they change;
- what plants link and include, and programs that building a plant calls; programs that the script names.
Each file, and each symbolic link on the way to it, has a Debian package. That package must be essential, or listed in a group, or needed
by one that is (Depends and Pre-Depends of what is installed here; what is only recommended is not installed).
The tree and the build folder are own, and so are the headers of FMI in build/fmi. With one package taken out of the list the test must find it.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

SCRIPTS = ("tools/demo.sh", "tools/test.sh")
INSTALLER = "tools/install_packages.sh"
PLANTED = "libzip-dev"
# debootstrap's smallest root, and what every download by HTTPS needs.
ALWAYS = ("ca-certificates",)
PLANT_PROGRAMS = ("cmake", "ninja", "c++", "ar", "ranlib", "ld")
PLANT_LIBRARIES = ("stdc++", "m", "c", "gcc", "gcc_eh")
INCLUDE_FOLDERS = ("/usr/include", "/usr/include/eigen3")
# Not PATH: what was installed beside Debian's packages is not on the next machine.
PROGRAM_FOLDERS = "/usr/bin:/bin:/usr/sbin:/sbin"


def output(*command):
    # ldd and dpkg-query end with 1 when one of many arguments has no answer.
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout


def below(folders, path):
    return any(path.startswith(folder + "/") for folder in folders)


@functools.lru_cache(None)
def real_folder(folder):
    return os.path.realpath(folder)


def links_to(path):
    """Each link on the way, and the file: libz.so is of zlib1g-dev, the libz.so.1.2.13 it leads to of zlib1g."""
    found = []
    while path not in found:
        folder, name = os.path.split(path)
        path = os.path.join(real_folder(folder), name)
        found.append(path)
        if os.path.islink(path):
            path = os.path.join(os.path.dirname(path), os.readlink(path))
    return found


def packages_of(paths):
    """-> {path: packages}. Packages older than the merge of /usr say /lib and /bin where the real path is below /usr."""
    asked = {}
    for path in paths:
        asked[path] = path
        if re.match(r"/usr/(s?bin|lib\w*)/", path):
            asked[path.removeprefix("/usr")] = path
    found, names = {}, sorted(asked)
    for start in range(0, len(names), 1000):
        for line in output("dpkg-query", "-S", *names[start : start + 1000]).splitlines():
            packages, _, path = line.partition(": ")
            if path in asked and not packages.startswith("diversion by"):
                found.setdefault(asked[path], []).extend(name.split(":")[0] for name in packages.split(", "))
    return found


class Installed:
    """The packages of this machine and what they need."""

    def __init__(self):
        self.needs, self.provided, self.essential = {}, {}, set()
        fields = "${Package}\t${Essential}\t${db:Status-Status}\t${Provides}\t${Pre-Depends}, ${Depends}\n"
        for line in output("dpkg-query", "-W", "-f", fields).splitlines():
            name, essential, status, provides, needs = line.split("\t")
            if status != "installed":
                continue
            self.needs.setdefault(name, []).extend(need for need in needs.split(",") if need.strip())
            for each in filter(str.strip, provides.split(",")):
                self.provided.setdefault(self.bare(each), set()).add(name)
            if essential == "yes":
                self.essential.add(name)

    @staticmethod
    def bare(text):
        return re.match(r"[a-z0-9+.-]+", text.strip()).group()

    def chosen(self, need):
        """The first alternative that is here, as apt would choose; of a virtual package all that provide it."""
        for each in map(self.bare, need.split("|")):
            if each in self.needs:
                return {each}
            if each in self.provided:
                return self.provided[each]
        return set()

    def direct(self, name):
        return set().union(*map(self.chosen, self.needs.get(name, [])))

    def closure(self, names):
        found, left = set(), set().union(*map(self.chosen, names), self.essential)
        while left:
            name = left.pop()
            found.add(name)
            left |= self.direct(name) - found
        return found


class Build:
    """What a build folder says about what it used."""

    def __init__(self, folder):
        self.folder = folder
        entries = re.findall(r"^([\w-]+):\w+=(.*)$", (folder / "CMakeCache.txt").read_text(), re.M)
        self.cache = dict(entries)
        libraries = re.search(r"^libraries: =(.*)$", output(self.cache["CMAKE_CXX_COMPILER"], "-print-search-dirs"), re.M)
        self.library_folders = libraries.group(1).split(":")
        log = self.ninja("-t", "deps")
        self.deps = {block.split(": ", 1)[0]: [line.strip() for line in block.splitlines()[1:]] for block in log.split("\n\n") if block.strip()}

    def ninja(self, *arguments):
        # -n: reads the logs and opens none for writing.
        return output(self.cache["CMAKE_MAKE_PROGRAM"], "-n", "-C", str(self.folder), "--quiet", *arguments)

    def library(self, name, static):
        for suffix in (".a",) if static else (".so", ".a"):
            for folder in self.library_folders:
                if os.path.isfile(path := os.path.join(folder, f"lib{name}{suffix}")):
                    return os.path.normpath(path)
        return f"lib{name}"

    def headers(self, targets):
        return {path: user for user in self.ninja("-t", "inputs", *targets).splitlines() for path in self.deps.get(user, [])}

    def named_in_commands(self, targets):
        found = {}
        for command in self.ninja("-t", "commands", *targets).splitlines():
            user = re.search(r" -o ?(\S+)", command)
            user = user.group(1) if user else command.split()[-1]
            for path in re.findall(r"(?<![^\s'\"])/[^\s;&|'\"()]+", command):
                found.setdefault(path, user)
            for name in re.findall(r"(?<=\s)-l([\w+.-]+)", command):
                found.setdefault(self.library(name, " -static " in command), user)
        return {path: user for path, user in found.items() if os.path.isfile(path) or not path.startswith("/")}

    def loaded(self, targets):
        made = [self.folder / path for path in re.findall(r" -o (bin/\S+)", self.ninja("-t", "commands", *targets))]
        made = [str(path) for path in made if path.is_file()]
        found, user = {}, made[0] if made else ""  # of a single one ldd does not say the name
        for line in output("ldd", *made).splitlines() if made else []:
            if match := re.match(r"(/.*):$", line):
                user = match.group(1)
            elif match := re.search(r"(/\S+) \(0x", line):
                found.setdefault(match.group(1), os.path.relpath(user, self.folder))
        return found

    def configured(self):
        return dict.fromkeys(self.ninja("-t", "inputs", "build.ninja").splitlines(), "CMake")

    def of_plants(self):
        exported = (self.folder / "lib/cmake/takt/taktTargets.cmake").read_text()
        names = [*PLANT_LIBRARIES, *re.findall(r"LINK_ONLY:(\w+)>", exported)]
        found = re.findall(r"/[^\s;\"]+\.(?:a|so)(?=[;\"])", exported)
        found = dict.fromkeys(found + [self.library(name, True) for name in names] + [program(name) for name in PLANT_PROGRAMS], "a plant")
        # The demo builds its plant in a folder of its own, so its headers are in no log here.
        root = pathlib.Path(self.cache["CMAKE_HOME_DIRECTORY"])
        for header in (root / "runtime").rglob("*.hpp"):
            for name in re.findall(r"^#include <(.+)>", header.read_text(), re.M):
                found.update({path: str(header.relative_to(root)) for folder in INCLUDE_FOLDERS if os.path.isfile(path := f"{folder}/{name}")})
        return found


def program(name):
    return shutil.which(name, path=PROGRAM_FOLDERS) or name


class Script:
    """The groups it installs, the targets it builds, the programs it names outside of strings and comments."""

    def __init__(self, root, name):
        self.name, text = name, (root / name).read_text()
        self.groups = re.search(rf"^{INSTALLER} (.*)$", text, re.M).group(1).split()
        self.targets = (re.search(r"^cmake --build .*?(?:--target (.*))?$", text, re.M).group(1) or "all").split()
        listed = subprocess.run([root / INSTALLER, "--list", *self.groups], check=True, capture_output=True, text=True).stdout
        self.packages = listed.split()
        bare = re.sub(r"(?:^|\s)#.*|'[^']*'|\"[^\"]*\"", " ", text)
        words = set(re.findall(r"(?<![\w/.$-])[a-z][\w+-]*(?![\w/=.-])", bare)) - set(output("bash", "-c", "compgen -b").split())
        self.programs = {path: name for word in words if (path := shutil.which(word, path=PROGRAM_FOLDERS))}


def used_by(build, script):
    """-> {what: {file: one user of it}}"""
    return {"header": build.headers(script.targets), "command": build.named_in_commands(script.targets), "loaded library": build.loaded(script.targets),
            "file of CMake": build.configured(), "plants' part": build.of_plants(), "program": script.programs}


def owners(used, own):
    """-> ({package: (file, user)}, [what belongs to no package])"""
    ways, nobodys = {}, []
    for path, user in used.items():
        if path.startswith("/") and not below(own, os.path.normpath(path)):
            ways[path] = links_to(path)
        elif "/" not in path and user != "CMake":  # a library or a program; CMake's are files of the build folder
            nobodys.append(f"{path}: not found; {user} needs it")
    known, found = packages_of({link for way in ways.values() for link in way}), {}
    for path, way in ways.items():
        packages = [name for link in way for name in known.get(link, [])]
        twin = program(os.path.basename(path))
        if not packages and os.access(path, os.X_OK) and os.path.isabs(twin):  # a Python built by hand, say: the next machine has Debian's
            packages = [name for each in packages_of(links_to(twin)).values() for name in each]
        if not packages:
            nobodys.append(f"{path}: of no Debian package; {used[path]} uses it")
        for name in packages:
            found.setdefault(name, (path, used[path]))
    return found, nobodys


def missing(installed, found, packages):
    """Not those that another missing one needs directly: with the -dev package its library comes."""
    absent = set(found) - installed.closure([*packages, *ALWAYS])
    return sorted(name for name in absent if not any(name in installed.direct(other) for other in absent - {name}))


def judge(installed, build, script, own, said):
    """-> faults; `said`: packages that are reported already"""
    kinds = used_by(build, script)
    faults = [f"{script.name}: no {kind} found in {build.folder}" for kind, files in kinds.items() if not files]
    found, nobodys = owners({path: user for files in kinds.values() for path, user in files.items()}, own)
    faults += [f"{script.name}: {text}" for text in nobodys]
    for name in sorted(set(missing(installed, found, script.packages)) - said):
        said.add(name)
        path, user = found[name]
        faults.append(f"{script.name}: {name} is not installed by {INSTALLER} {' '.join(script.groups)}: {user} uses {path}; "
                      f"add {name} to packages[{'test' if 'test' in script.groups else 'build'}] there")
    planted = missing(installed, found, set(script.packages) - {PLANTED})
    if PLANTED not in planted:
        faults.append(f"{script.name}: self-test: without {PLANTED} in the list nothing was missed")
    if not faults:
        print(f"{script.name}: {sum(map(len, kinds.values()))} files of {len(found)} packages, all within {' '.join(script.groups)}")
    return faults


def main():
    folder, root = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    if not shutil.which("dpkg-query"):
        print("skipped: no dpkg here")
        return 77
    if not (folder / "build.ninja").is_file():
        print(f"skipped: {folder} was not made by Ninja")
        return 77
    build = Build(folder)
    if "clang" in build.cache["CMAKE_CXX_COMPILER"]:
        print("skipped: built by clang, which only the group dev installs")
        return 77
    own = {build.cache["CMAKE_HOME_DIRECTORY"], str(folder), str(root), build.cache.get("TAKT_SHARED_DATA", str(root))}
    own |= {os.path.realpath(path) for path in own}
    installed = Installed()
    said = set()
    faults = [fault for name in SCRIPTS for fault in judge(installed, build, Script(root, name), own, said)]
    if faults:
        print("\n".join(faults))
    return 1 if faults else 0


sys.exit(main())

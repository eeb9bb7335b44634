"""Reference of the command line: `--help` of every command, and of what belongs to it."""
import re
import subprocess


def help_of(program, *words):
    run = subprocess.run([program, *words, "--help"], capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"{program} {' '.join(words)} --help ends with {run.returncode}: {run.stderr}")
    return run.stdout


def names(text, head):
    """Names of sub-commands, under a line `commands:` or `Subcommands:`, with what is said of each."""
    part = re.split(rf"^{head}:\n", text, flags=re.M | re.I)
    lines = part[1].split("\n\n")[0] if len(part) > 1 else ""
    return re.findall(r"^  ([a-z][\w-]*) +(\S.*)$", lines, re.M)


def page(takt, out):
    top = help_of(takt)
    text = ["# Command line", "", "What `--help` says, of each command.", "", "```text", top.rstrip(), "```", ""]
    for name, _ in names(top, "commands"):
        own = help_of(takt, name)
        text += [f"## takt {name}", "", "```text", own.rstrip(), "```", ""]
        for inner, _ in names(own, "subcommands"):
            text += [f"### takt {name} {inner}", "", "```text", help_of(takt, name, inner).rstrip(), "```", ""]
    out.write_text("\n".join(text))

#!/usr/bin/env python3
"""What tools/test.sh leaves out is not forgotten: tests/long_run.txt, which `tools/test_long.sh long` leaves when all has passed, is at most seven days
older than the newest commit, and of a commit that the newest one has grown from.

    long_run_test.py SOURCE

Ends with 0, 1, or 77 where no history is there to ask, or no long run has left its date yet."""
import datetime
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
DAYS = 7


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)


def main():
    now = git("show", "--no-patch", "--format=%cs", "HEAD")
    if now.returncode != 0:
        print("skipped: no repository of git")
        return 77
    if not (ROOT / "tests/long_run.txt").exists():
        print("skipped: tools/test_long.sh long has not left its date yet")
        return 77
    date, commit = (ROOT / "tests/long_run.txt").read_text().splitlines()[-1].split()
    age = (datetime.date.fromisoformat(now.stdout.strip()) - datetime.date.fromisoformat(date)).days
    print(f"tools/test_long.sh long passed on {date}, {age} days before the newest commit")
    if age > DAYS:
        print(f"that is more than {DAYS} days: run tools/test_long.sh long, and commit tests/long_run.txt")
        return 1
    whole = git("rev-parse", "--is-shallow-repository").stdout.strip() == "false"
    if whole and git("merge-base", "--is-ancestor", commit, "HEAD").returncode != 0:
        print(f"it was of {commit}, which is not among the ancestors of the newest commit: run it again")
        return 1
    return 0


sys.exit(main())

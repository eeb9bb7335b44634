#!/usr/bin/env python3
"""fit_test.py TAKT SOURCE FOLDER PART...: `takt fit` on this machine and by packs (local), over ssh and on boards that are wrong (ssh).

Whether a plant holds is not asserted where it depends on how busy the machine is: only that the verdict is that of what was measured."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import fit_boards

TAKT, SOURCE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
RC = SOURCE / "config/plants/rc"
LOCAL = FOLDER / "temporary"
QUICK = ["--skip", "cores", "--skip", "finer", "--skip", "copies"]
TOO_MUCH = """title = "steps that no machine holds"
[solve]
electric = { step = "4 ns", method = "rk4" }
[sync]
plant = { members = ["electric"], every = "1 ms" }
"""


def start(*arguments, **environment):
    return subprocess.Popen([TAKT, "fit", *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=FOLDER,
                            env={**os.environ, "TMPDIR": str(LOCAL), **environment})


def fit(*arguments, **environment):
    process = start(*arguments, **environment)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def report(*arguments, **environment):
    code, out, err = fit(*arguments, "--json", **environment)
    assert out.startswith("{"), (code, err)
    found = json.loads(out)
    verdict = found["verdict"]
    assert (code == 0) == verdict["holds"], (code, verdict)
    assert verdict["holds"] == ("failure" not in verdict and verdict["late"] <= found["late"] * verdict["windows"] and verdict["margin"] >= 0), verdict
    assert not list(LOCAL.iterdir()), f"left behind: {list(LOCAL.iterdir())}"
    return found


def refused(code, words, *arguments, **environment):
    got, out, err = fit(*arguments, **environment)
    assert got == code and not out and all(word in err for word in words), (arguments, got, out, err)
    print("   ", "\n    ".join(err.splitlines()[-2:]))
    assert not list(LOCAL.iterdir()), f"left behind: {list(LOCAL.iterdir())}"


def here():
    found = report(RC, "--for", "1s", "--skip", "finer", "--most-copies", "1", "--late", "1e-2")
    assert found["plant"] == "rc" and found["board"]["cpus"] == os.cpu_count() and found["verdict"]["windows"] == 1000, found
    assert 0 < found["verdict"]["computing"] < 1 and "plant_us" in found["wake_up"], found
    assert ("cyclictest" in found["wake_up"]) == bool(shutil.which("cyclictest")), found["wake_up"]
    assert [row["count"] for row in found["copies"]["runs"]][0] == 1 and found["copies"]["runs"][0]["windows"] >= 2000, found["copies"]
    assert len(found["cores"]) == min(2, os.cpu_count()) or os.cpu_count() > 2, found["cores"]
    assert {"electric", "the executive"} <= {row["what"] for row in found["time"]}, found["time"]
    assert all(row["remedy"] for row in found["machine"]), found["machine"]
    print(f"here: holds {found['verdict']['holds']}, {found['copies']['held']} copies of 1 at most")


def finer():
    found = report(RC, "--for", "1s", "--skip", "cores", "--skip", "copies", "--late", "1e-2")
    for kind, plan in (("step", 100e-6), ("period", 1e-3)):
        one = found[kind]
        if found["verdict"]["holds"]:
            assert one["held_s"] in [plan / n for n in (1, 2, 4, 8)], one
            assert one["not_held_s"] is None or one["not_held_s"] == one["held_s"] / 2, one
        else:
            assert one["held_s"] is None and one["not_held_s"] == plan, one
    print(f"finer plans: {found['period']['held_s']} s, {found['step']['held_s']} s")


def what_no_machine_holds():
    solve = FOLDER / "too_much.toml"
    solve.write_text(TOO_MUCH)
    found = report(RC, "--solve", solve, "--error", "off", "--for", "1s", "--skip", "finer", "--skip", "cores", "--most-copies", "4")
    verdict = found["verdict"]
    assert not verdict["holds"] and verdict["margin"] < 0 and verdict["computing"] > 1 and verdict["late"] > 0.9 * verdict["windows"] > 0, verdict
    assert found["copies"]["held"] == 0 and found["copies"]["predicted"] == 0, found["copies"]
    assert found["step"]["held_s"] is None and found["time"][0]["what"] == "electric", found
    assert any("'electric' computes for" in sentence for sentence in found["advice"]), found["advice"]
    print("what no machine holds does not hold")


def without_priority(board):
    """Nobody may raise priorities: neither the plant's threads nor cyclictest's."""
    if os.getuid() != 0 or not shutil.which("setpriv"):
        print("not tested: a board that grants no real-time priority, for want of setpriv as root")
        return
    kept = ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice"]
    done = subprocess.run([*kept, "sh", board / "measure.sh"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = report("--read", board)
    assert found["verdict"]["scheduling"].startswith("SCHED_OTHER") and "cyclictest" not in found["wake_up"], found
    assert any("without real-time priority" in sentence for sentence in found["advice"]), found["advice"]
    assert any(row["item"].startswith("SCHED_FIFO") and row["required"] for row in found["machine"]), found["machine"]


def packs():
    pack = FOLDER / "pack"
    shutil.rmtree(pack, ignore_errors=True)
    refused(1, ["there is no folder"], "--read", FOLDER / "none")
    code, out, err = fit(RC, "--pack", pack, "--for", "1s", *QUICK)
    assert code == 0 and out == f"{pack}\n", err
    refused(1, ["holds no results yet", "measure.sh"], "--read", pack)
    board = FOLDER / "carried"
    shutil.rmtree(board, ignore_errors=True)
    shutil.copytree(pack, board)
    fake = FOLDER / "fake"
    fake.mkdir(exist_ok=True)
    (fake / "uname").write_text("#!/bin/sh\necho riscv64\n")
    (fake / "uname").chmod(0o755)
    wrong = subprocess.run(["sh", board / "measure.sh"], capture_output=True, text=True, env={**os.environ, "PATH": f"{fake}:{os.environ['PATH']}"})
    assert wrong.returncode == 75 and "this pack is for" in wrong.stderr and "riscv64" in wrong.stderr, wrong
    assert not (board / "results").exists()
    done = subprocess.run(["sh", board / "measure.sh"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shutil.copytree(board / "results", pack / "results")
    found = report("--read", pack)
    assert found["verdict"]["windows"] == 1000 and found["copies"] is None, found
    code, out, err = fit("--read", pack)
    holds = found["verdict"]["holds"]
    assert code == (0 if holds else 1) and ("\nHOLDS: " if holds else "\nDOES NOT HOLD: ") in out, (out, err)
    assert ("not even the plan's" in out) == (not holds) and "\nmachine" in out and "electric" in out, out
    code, out, err = fit("--compare", pack, board, "--plot", FOLDER / "boards.html")
    assert code == 0 and out.count("| rc |") == 2 and "<pre>" in (FOLDER / "boards.html").read_text(), (out, err)
    without_priority(board)
    text = (pack / "results/board.txt").read_text()
    (pack / "results/board.txt").write_text(text.replace("done\n", ""))
    refused(1, ["is not complete"], "--read", pack)
    (pack / "results/board.txt").write_text(text.replace("id=", "id=0"))
    refused(1, ["with another pack"], "--read", pack)
    (pack / "results/board.txt").write_text(text)
    summary = json.loads((pack / "results/paced.json").read_text())
    del summary["rates"]
    (pack / "results/paced.json").write_text(json.dumps(summary))
    refused(1, ["damaged", "rates"], "--read", pack)
    settings = json.loads((pack / "pack.json").read_text())
    (pack / "pack.json").write_text(json.dumps({**settings, "format": 0, "takt": "0.0.9"}))
    refused(1, ["another version", "0.0.9"], "--read", pack)
    (pack / "pack.json").write_text("{")
    refused(1, ["damaged"], "--read", pack)
    refused(1, ["is no pack"], "--read", FOLDER)
    refused(1, ["holds something else than a pack"], RC, "--pack", FOLDER, *QUICK)
    refused(2, ["take no PLANT"], RC, "--read", pack)
    refused(2, ["give a PLANT"])
    refused(2, ["--for"], RC, "--for", "soon")
    refused(1, ["--target linux-aarch64 is not for this machine"] if os.uname().machine != "aarch64" else ["linux-x86_64"], RC, "--target",
            "linux-aarch64" if os.uname().machine != "aarch64" else "linux-x86_64", *QUICK)
    print("a pack that is carried by hand gives the report; what does not fit together is refused")


def right_board():
    with fit_boards.Board(FOLDER / "right") as board:
        found = report(RC, "--on", board.address, "--for", "1s", *QUICK, **board.client())
        assert found["verdict"]["windows"] == 1000, found
        assert board.is_clean(), list(board.temporary.iterdir())
        audits = [json.loads(subprocess.run([TAKT, "host", "--json", *on], capture_output=True, text=True, check=True, env={**os.environ, **board.client()}).stdout)
                  for on in ([], ["--on", board.address])]
        items = [[(row["item"], row["good"]) for row in audit["findings"]] for audit in audits]
        assert items[0] == items[1] and len(items[0]) > 8, items
        assert board.is_clean(), list(board.temporary.iterdir())
    print("over ssh: the same report, and nothing is left there")


def wrong_boards():
    with fit_boards.Board(FOLDER / "wrong") as board:
        asked = [RC, "--for", "1s", *QUICK, "--on"]
        refused(1, ["no machine of that name"], *asked, "ssh://root@no-such-board.invalid", **board.client())
        refused(1, ["nothing listens there"], *asked, f"ssh://root@127.0.0.1:{fit_boards.free_port()}", **board.client())
        refused(1, ["refuses the key", "ssh-copy-id"], *asked, board.address, **board.client(identity=fit_boards.key(FOLDER / "wrong/other")))
        (board.folder / "unknown").write_text("")
        refused(1, ["host key is not known"], *asked, board.address, **board.client(known=board.folder / "unknown"))
        known = (board.folder / "known").read_text().split()
        (board.folder / "changed").write_text(f"{known[0]} {(board.folder / 'user.pub').read_text()}")
        refused(1, ["host key is another"], *asked, board.address, **board.client(known=board.folder / "changed"))
        refused(1, ["not for ssh://"] if os.uname().machine != "aarch64" else ["linux-x86_64"], *asked, board.address, "--target",
                "linux-aarch64" if os.uname().machine != "aarch64" else "linux-x86_64", **board.client())
        refused(1, ["cannot be reached"], *asked, board.address, TAKT_SSH="no-such-ssh")
        assert board.is_clean(), list(board.temporary.iterdir())
    fake = FOLDER / "riscv"
    fake.mkdir(exist_ok=True)
    (fake / "uname").write_text("#!/bin/sh\necho Linux riscv64\n")
    (fake / "uname").chmod(0o755)
    with fit_boards.Board(FOLDER / "riscv_board", PATH=f"{fake}:/usr/bin:/bin") as board:
        refused(1, ["riscv64", "Takt compiles no plants"], *asked, board.address, **board.client())
    with fit_boards.Board(FOLDER / "no_folder", TMPDIR="/proc/none") as board:
        refused(1, ["no folder for temporary files"], *asked, board.address, **board.client())
    print("boards that are wrong are named as such")


def full_board():
    """One with half a megabyte, one that starts no programs from its temporary folder."""
    for options, words in (("size=512k", ["no space is left on the board", "TMPDIR"]), ("size=64m,noexec", ["programs cannot be started", "noexec"])):
        place = FOLDER / "small"
        place.mkdir(exist_ok=True)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", place], capture_output=True).returncode != 0:
            print("not tested: a board without space, for want of permission to mount one")
            return
        try:
            with fit_boards.Board(FOLDER / "full", TMPDIR=str(place)) as board:
                refused(1, words, RC, "--for", "1s", *QUICK, "--on", board.address, **board.client())
                assert not list(place.iterdir()), list(place.iterdir())
        finally:
            subprocess.run(["umount", place], check=True)
    print("a board without space, and one that starts no programs, are named as such")


def interrupted():
    """The connection is cut, the user stops it: nothing is left on either side."""
    with fit_boards.Board(FOLDER / "cut") as board:
        for how, word in (("cut", "the connection was lost"), ("stopped", "was stopped")):
            process = start(RC, "--for", "6s", *QUICK, "--on", board.address, **board.client())
            said = ""
            while "in real time" not in said:
                line = process.stderr.readline()
                assert line, said
                said += line
            time.sleep(0.5)
            assert list(board.temporary.iterdir()), "nothing was carried there"
            if how == "cut":
                board.disconnect()
            else:
                process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            assert process.returncode == 1 and not out and word in err, (process.returncode, out, err)
            print("   ", "\n    ".join(err.splitlines()[-2:]))
            assert board.is_clean(), (how, list(board.temporary.iterdir()), fit_boards.left("takt-fit"))
            assert not list(LOCAL.iterdir()), list(LOCAL.iterdir())
    process = start(RC, "--for", "6s", *QUICK)
    while "in real time" not in process.stderr.readline():
        pass
    process.terminate()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1 and "was stopped" in err and not list(LOCAL.iterdir()), (process.returncode, err, list(LOCAL.iterdir()))
    print("what is cut or stopped leaves nothing behind")


PARTS = {"local": (here, what_no_machine_holds, packs), "finer": (finer,), "ssh": (right_board, wrong_boards, full_board, interrupted)}


def main():
    LOCAL.mkdir(parents=True, exist_ok=True)
    for part in sys.argv[4:]:
        if part == "ssh" and fit_boards.missing():
            print(f"skipped: install {fit_boards.missing()} (tools/install_packages.sh test)")
            sys.exit(77)
        for check in PARTS[part]:
            check()


if __name__ == "__main__":
    main()

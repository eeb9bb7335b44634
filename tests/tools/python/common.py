"""What the tests of the Python package share: the package of this tree, the command under test, an empty folder to work in.

    NAME_test.py TAKT WORK [unittest's arguments]"""
import os
import pathlib
import shutil
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "tools/python"
RC = ROOT / "config/plants/rc"
TAKT, WORK = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PATIENCE = 30.0  # s; a busy machine may need them

try:
    import numpy  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (tools/install_packages.sh python)")
    sys.exit(77)
sys.path.insert(0, str(PACKAGE))
os.environ["TAKT"] = TAKT
os.environ["PYTHONPATH"] = os.pathsep.join([str(PACKAGE), *filter(None, [os.environ.get("PYTHONPATH")])])


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.chdir(WORK)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)

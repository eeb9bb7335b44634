"""Boards for the tests of `takt fit`: an sshd of the test's own on loopback, with keys of its own, in a folder."""
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

SSHD = shutil.which("sshd", path="/usr/sbin:/sbin:" + os.environ["PATH"])


def missing():
    """What has to be installed for it; empty: nothing."""
    return "" if SSHD and shutil.which("ssh") and shutil.which("ssh-keygen") else "openssh-server and openssh-client"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def key(path):
    path.unlink(missing_ok=True)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], check=True)
    return path


def left(text):
    """Processes whose command line or folder has this text: [pid]."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            here = (entry / "cmdline").read_text() + os.readlink(entry / "cwd")
        except OSError:
            continue
        if entry.name.isdigit() and text in here and int(entry.name) != os.getpid():
            found.append(int(entry.name))
    return found


class Board:
    """environment: of what runs on it."""

    def __init__(self, folder, **environment):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.temporary = self.folder / "board"
        self.temporary.mkdir(parents=True)
        self.port = free_port()
        self.host_key, self.user_key = key(self.folder / "host"), key(self.folder / "user")
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        settings = {"TMPDIR": self.temporary, **environment}
        (self.folder / "sshd.conf").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey {self.host_key}\nAuthorizedKeysFile {self.folder}/authorized\n"
            "PidFile none\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\nUsePAM no\n"
            f"SetEnv {' '.join(f'{name}={value}' for name, value in settings.items())}\n")
        (self.folder / "known").write_text(f"[127.0.0.1]:{self.port} {(self.folder / 'host.pub').read_text()}")
        self.client()
        if os.getuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        self.log = open(self.folder / "sshd.log", "w")
        self.process = subprocess.Popen([SSHD, "-D", "-e", "-f", self.folder / "sshd.conf"], stdin=subprocess.DEVNULL, stderr=self.log)
        self.address = f"ssh://{os.environ.get('USER') or 'root'}@127.0.0.1:{self.port}" if os.getuid() else f"ssh://root@127.0.0.1:{self.port}"
        for _ in range(100):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise RuntimeError((self.folder / "sshd.log").read_text())

    def client(self, identity=None, known=None):
        """What ssh is told; -> environment"""
        (self.folder / "client.conf").write_text(
            f"Host *\n  IdentityFile {identity or self.user_key}\n  IdentitiesOnly yes\n  UserKnownHostsFile {known or self.folder / 'known'}\n"
            "  GlobalKnownHostsFile none\n  BatchMode yes\n  ConnectTimeout 10\n  StrictHostKeyChecking yes\n")
        return {"TAKT_SSH": f"ssh -F {self.folder / 'client.conf'}"}

    def sessions(self):
        """Of those that are connected: processes below sshd."""
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return [int(child) for child in children]

    def disconnect(self):
        for session in self.sessions():
            with contextlib.suppress(ProcessLookupError):  # it may just have ended by itself
                os.kill(session, signal.SIGKILL)

    def is_clean(self, seconds=15):
        """Nothing is left there, soon."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if not list(self.temporary.iterdir()) and not left(f"{self.temporary}/takt-fit"):
                return True
            time.sleep(0.2)
        return False

    def close(self):
        try:
            self.disconnect()
        finally:  # whoever waits for the test's output waits for sshd, too
            self.process.terminate()
            self.process.wait()
            self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

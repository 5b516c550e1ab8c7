"""Prepare a fresh machine: virtual environment, pinned packages, translations, kernels.

    python3 bootstrap.py           what `make run` needs
    python3 bootstrap.py --dev     what `make test` needs as well
    python3 bootstrap.py --docs    what `make docs` needs as well

The script does only what is not done yet. Its syntax is valid in every Python, so that one that
is too old gets a clear message instead of a SyntaxError.
"""

import glob
import hashlib
import os
import signal
import subprocess
import sys

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
LOG = os.path.join(VENV, "bootstrap.log")
CATALOGUES = os.path.join("locale", "*", "LC_MESSAGES", "django.po")


def give_up(line):
    """End with one clear line."""
    sys.stderr.write("PuzzleClass: %s\n" % line)
    sys.exit(1)


def say(line):
    sys.stdout.write("%s\n" % line)
    sys.stdout.flush()


def run(command, environment=None):
    """Run the command with its output in the log, and return whether it succeeded.

    If a signal interrupts this script meanwhile, the command ends with all processes that it has
    started. Otherwise it would meet the same command of the next start.
    """
    with open(LOG, "ab") as log:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            return process.wait() == 0
        except KeyboardInterrupt:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise


def last_error():
    """Return the last line of the log that mentions an error, else the last line."""
    with open(LOG, "rb") as log:
        lines = log.read().decode("utf-8", "replace").strip().splitlines()
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["no output"])[-1].strip()


def digest(paths):
    """Return a hash of the files' contents and of the Python that uses them."""
    total = hashlib.sha256(sys.version.encode())
    for path in sorted(paths):
        with open(os.path.join(ROOT, path), "rb") as file:
            total.update(file.read())
    return total.hexdigest()


def once(name, paths, work):
    """Do the work, unless it has been done with the same contents of the files."""
    stamp = os.path.join(VENV, "done-" + name)
    wanted = digest(paths)
    if os.path.exists(stamp):
        with open(stamp) as file:
            if file.read() == wanted:
                return
    work()
    with open(stamp, "w") as file:
        file.write(wanted)


def has_pip():
    """Return whether the environment is complete. Its last part is pip."""
    return subprocess.call([PYTHON, "-c", "import pip"], stderr=subprocess.DEVNULL) == 0


def make_environment():
    """Create .venv, or create it again if its Python is gone or it is incomplete."""
    if os.path.exists(PYTHON) and has_pip():
        return
    say("Making a virtual environment in .venv ...")
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        give_up(
            "this Python has no venv module. On Debian and Ubuntu: apt-get install python3-venv"
        )
    try:
        venv.create(VENV, clear=True, with_pip=True, symlinks=True)
    except (OSError, subprocess.CalledProcessError) as error:
        give_up("the virtual environment can't be made in %s: %s" % (VENV, error))


def install(*files):
    """Install the pinned packages that the files list."""
    say("Installing the pinned packages; the first time this takes a minute or two ...")
    command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check"]
    for file in files:
        command += ["-r", file]
    if not run(command):
        give_up("packages can't be installed: %s (all of it: %s)" % (last_error(), LOG))


def install_script_tools():
    """Install the tools that check scripts in static/. Node.js is one of the Python packages."""
    say("Installing the tools for scripts ...")
    bin = os.path.dirname(PYTHON)
    path = os.pathsep.join([bin, os.environ.get("PATH", "")])
    command = [os.path.join(bin, "npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    if not run(command, dict(os.environ, PATH=path)):
        give_up(
            "the tools for scripts can't be installed: %s (all of it: %s)" % (last_error(), LOG)
        )


def is_compiled(catalogue):
    """Return whether the catalogue has been compiled since it was last changed."""
    compiled = catalogue[:-2] + "mo"
    return os.path.exists(compiled) and os.path.getmtime(compiled) >= os.path.getmtime(catalogue)


def compile_translations():
    if not run([PYTHON, "manage.py", "messages", "--compile"]):
        give_up("the translations can't be compiled: %s (all of it: %s)" % (last_error(), LOG))


def warm_kernels():
    say("Compiling the solvers ...")
    if not run([PYTHON, "-m", "solvers.warm"]):
        give_up("the solvers can't be compiled: %s (all of it: %s)" % (last_error(), LOG))


def main():
    if sys.version_info < OLDEST:
        give_up(
            "Python %d.%d or newer is needed; this is %d.%d (%s). "
            "Name a newer one: make run PYTHON=python3.12"
            % (OLDEST + tuple(sys.version_info[:2]) + (sys.executable,))
        )
    if not os.access(ROOT, os.W_OK):
        give_up("no permission to write in %s" % ROOT)
    os.chdir(ROOT)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    files = ["requirements.txt"]
    files += ["requirements-%s.txt" % name for name in ("dev", "docs") if "--" + name in sys.argv]
    make_environment()
    if os.path.exists(LOG):
        os.remove(LOG)
    once(files[-1], files, lambda: install(*files))
    if "--dev" in sys.argv[1:]:
        once("scripts", ["package.json", "package-lock.json"], install_script_tools)
    catalogues = glob.glob(os.path.join("puzzleclass", CATALOGUES))
    catalogues += glob.glob(os.path.join("solvers", "*", CATALOGUES))
    if not all(is_compiled(catalogue) for catalogue in catalogues):
        compile_translations()
    sources = glob.glob(os.path.join("solvers", "*.py"))
    sources += glob.glob(os.path.join("solvers", "*", "*.py"))
    once("kernels", ["requirements.txt"] + sources, warm_kernels)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        give_up("interrupted; start again any time")
    except (IOError, OSError) as error:
        give_up(str(error))

"""Prepare a fresh machine: virtual environment, pinned packages, translations, kernels.

    python3 bootstrap.py --run     what `make run` needs, which compiles the kernels by itself
    python3 bootstrap.py           with the kernels
    python3 bootstrap.py --dev     what `make test` needs as well
    python3 bootstrap.py --docs    what `make docs` needs as well

The script does only what is not done yet, and prints with TIMES=1 how long each part takes. Its
syntax is valid in every Python, so that one that is too old gets a clear message instead of a
SyntaxError.
"""

import ast
import glob
import hashlib
import os
import re
import signal
import subprocess
import sys
import time

OLDEST = (3, 11)
ROOT = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "bin", "python")
LOG = os.path.join(VENV, "bootstrap.log")
INSTALLER = os.path.join(VENV, "installer.txt")
INDEX = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}
"""What pip is told of the places of packages, and uv's names for it."""
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


def timed(part, work, *arguments):
    """Do the work, and print how long it took if that is asked."""
    began = time.time()
    work(*arguments)
    if os.environ.get("TIMES"):
        say("%8.1f s  %s" % (time.time() - began, part))


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


def pin_of_uv():
    """Return the lines of requirements-dev.txt that pin uv with its hashes; "" without any."""
    path = "requirements-dev.txt"
    if not os.path.exists(path):
        return ""
    with open(path) as file:
        found = re.search(r"^uv==(?:.*\\\n)*.*\n", file.read(), re.MULTILINE)
    return found.group() if found else ""


def has_uv():
    """Return whether uv is in the environment. pip installs the pinned one, which takes a second.

    Where there is no uv for the system, pip does its work, which takes some four times as long.
    """
    pin = pin_of_uv()
    if not pin:
        return False
    version = re.match(r"uv==([^ \\]*)", pin).group(1)
    if not glob.glob(os.path.join(VENV, "lib", "*", "site-packages", "uv-%s.dist-info" % version)):
        with open(INSTALLER, "w") as file:
            file.write(pin)
        pip = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps"]
        return run(pip + ["--only-binary", ":all:", "-r", INSTALLER])
    return True


def index_of_pip():
    """Return the environment in which uv finds packages where pip does.

    Where pip looks in several places, it takes a package from any of them. So does uv then; the
    hashes of the pins say which files are meant.
    """
    try:
        told = subprocess.check_output([PYTHON, "-m", "pip", "config", "list"])
    except subprocess.CalledProcessError:
        return dict(os.environ)
    environment, weights = {}, {"global": 1, "install": 2, ":env:": 3}
    best = {}
    for line in told.decode("utf-8", "replace").splitlines():
        found = re.match(r"(global|install|:env:)\.([a-z-]+)=('.*'|\".*\")$", line.strip())
        if found and found.group(2) in INDEX:
            section, name, value = found.groups()
            if weights[section] >= best.get(name, 0):
                best[name] = weights[section]
                parts = ast.literal_eval(value).split()
                environment[INDEX[name]] = ("," if name == "find-links" else " ").join(parts)
    if "UV_INDEX" in environment:
        environment["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    environment.update(os.environ)
    return environment


def install(*files):
    """Install the pinned packages that the files list."""
    say("Installing the pinned packages; the first time this takes a moment ...")
    if has_uv():
        uv = os.path.join(VENV, "bin", "uv")
        command, environment = [uv, "pip", "install", "--python", PYTHON], index_of_pip()
    else:
        command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check"]
        environment = None
    for file in files:
        command += ["-r", file]
    if not run(command, environment):
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
    timed("environment", make_environment)
    if os.path.exists(LOG):
        os.remove(LOG)
    timed("packages", once, files[-1], files, lambda: install(*files))
    if "--dev" in sys.argv[1:]:
        scripts = ["package.json", "package-lock.json"]
        timed("tools for scripts", once, "scripts", scripts, install_script_tools)
    catalogues = glob.glob(os.path.join("puzzleclass", CATALOGUES))
    catalogues += glob.glob(os.path.join("solvers", "*", CATALOGUES))
    if not all(is_compiled(catalogue) for catalogue in catalogues):
        timed("translations", compile_translations)
    if "--run" in sys.argv[1:]:
        return
    sources = glob.glob(os.path.join("solvers", "*.py"))
    sources += glob.glob(os.path.join("solvers", "*", "*.py"))
    timed("solvers", once, "kernels", ["requirements.txt"] + sources, warm_kernels)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        give_up("interrupted; start again any time")
    except (IOError, OSError) as error:
        give_up(str(error))

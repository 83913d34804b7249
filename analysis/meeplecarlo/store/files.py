"""Writing files so that a name never stands for half a file, and saying in one sentence why it did not work."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path

from meeplecarlo.errors import StoreError

_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than allowed here",
    errno.EACCES: "permission was denied",
    errno.EROFS: "the file system is read-only",
}


@contextmanager
def saying_why(path: Path):
    """Turn an operating system error into a `StoreError` that names `path` and the reason."""
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
        raise StoreError(f"cannot write {path}: {reason}.") from error


def write_atomically(path: Path, content: bytes, durable: bool = True) -> str:
    """Write `content` to `path` all or nothing; return its SHA-256 in hex.

    Parameters
    ----------
    durable : bool
        Wait until the content is on the disk, so that not even a power failure can lose it.

    Raises
    ------
    StoreError
        If it cannot be written; then nothing is left behind.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with saying_why(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(temporary, "wb") as file:
                file.write(content)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    return hashlib.sha256(content).hexdigest()


def write_json(path: Path, value: object, durable: bool = True) -> None:
    """Write `value` as indented JSON, all or nothing."""
    write_atomically(path, (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode(), durable)


def make_durable(paths: Iterable[Path]) -> None:
    """Wait until these files are on the disk."""
    for path in paths:
        with saying_why(path), open(path, "rb") as file:
            os.fsync(file.fileno())


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file in hex."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

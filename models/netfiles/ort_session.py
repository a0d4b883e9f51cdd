"""Sessions of onnxruntime on files, and why one cannot be opened, in a sentence."""

from pathlib import Path
from typing import Any, Final

import onnxruntime as ort
from onnxruntime.capi import onnxruntime_pybind11_state as ort_errors

from core.text import Text
from models.netfiles.scan import has_sparse

ORT_ERRORS: Final = (
    ort_errors.EPFail,
    ort_errors.Fail,
    ort_errors.InvalidArgument,
    ort_errors.InvalidGraph,
    ort_errors.InvalidProtobuf,
    ort_errors.NoSuchFile,
    ort_errors.NotImplemented,
    ort_errors.RuntimeException,
    RuntimeError,  # a failed call of CUDA's
)

ort.set_default_logger_severity(4)  # errors are raised; warnings are not for the user


_LONGEST: Final = 160  # characters quoted of an onnxruntime error


class BadNet(ValueError):
    """A net file cannot be used; the message is one sentence."""


def unusable(net: str, detail: str) -> BadNet:
    """The error for a net that is damaged or does not fit; ``detail`` has "it" for the net and stays English."""
    return BadNet(Text("{net} cannot be used: {error}", net=net, error=detail))


def open_session(path: Path, options: Any, providers: list[Any]) -> Any:
    """Open an onnxruntime session on ``path``; :class:`BadNet` when that fails."""
    if not path.exists():
        raise BadNet(Text("{path!r} does not exist; give the path of an ONNX file", path=str(path)))
    if not path.is_file():
        raise BadNet(Text("{path!r} is not a file; give the path of an ONNX file", path=str(path)))
    try:
        if not path.stat().st_size:
            raise BadNet(Text("{path!r} is empty; give the path of an ONNX file", path=str(path)))
        if has_sparse(path):
            raise BadNet(Text("{path!r} has sparse tensors; save the net with dense ones", path=str(path)))
    except OSError as error:
        raise BadNet(Text("{path!r} cannot be read: {strerror}", path=str(path), strerror=error.strerror)) from None
    try:
        # Its fallback prints to stdout and hides the reason.
        return ort.InferenceSession(str(path), options, providers=providers, enable_fallback=0)
    except ort_errors.InvalidProtobuf:
        raise BadNet(Text("{path!r} is not an ONNX file, or is damaged", path=str(path))) from None
    except ORT_ERRORS as error:
        if "escapes" in str(error) or "Absolute path" in str(error):
            raise BadNet(
                Text(
                    "{path!r} keeps its weights outside its own folder, where they are not looked for; save the net "
                    "as one file",
                    path=str(path),
                )
            ) from None
        if "external" in str(error).lower():
            raise BadNet(
                Text(
                    "{path!r} keeps its weights in another file that is missing; save the net as one file",
                    path=str(path),
                )
            ) from None
        if "No graph was found" in str(error):
            raise BadNet(Text("{path!r} is not an ONNX file, or is damaged", path=str(path))) from None
        raise BadNet(Text("{path!r} cannot be loaded: {error}", path=str(path), error=first_line(error))) from None


def first_line(error: BaseException) -> str:
    """The first line of an error's message, shortened if long."""
    lines = str(error).strip().splitlines()
    line = lines[0] if lines else type(error).__name__
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"

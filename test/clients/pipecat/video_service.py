"""A published video service, and events for the tests."""

import json
import re
import time

from pipecat.processors.frame_processor import FrameProcessor

import pipecat_ojin
import pipecat_protoface


def tell(type: str, **event: object) -> None:
    print(json.dumps({"type": type, "at": time.time() * 1000, **event}), flush=True)


def service(line: str) -> FrameProcessor:
    """Created by a line of Python from our documentation."""
    names = {**vars(pipecat_protoface), **vars(pipecat_ojin)}
    wanted = set(re.findall(r"[A-Z]\w+(?=\()", line))
    return eval(line, {name: names[name] for name in wanted})

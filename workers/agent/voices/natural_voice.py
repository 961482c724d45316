"""Speech synthesis over JSON lines: {"id", "text"} in; {"id", "rate", "pcm"} or {"id", "failed"} out; {"ready": true} when loaded."""

import base64
import json
import sys

import numpy
from hibari import SAMPLE_RATE, Hibari


def tell(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    tts = Hibari(threads=1)
    # Warm up: the first sentence takes longer.
    tts("Ready.")
    tell({"ready": True})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            audio = numpy.clip(numpy.asarray(tts(request["text"])), -1, 1)
            pcm = (audio * 32767).astype("<i2").tobytes()
            tell({"id": request["id"], "rate": SAMPLE_RATE, "pcm": base64.b64encode(pcm).decode()})
        except Exception as error:
            tell({"id": request["id"], "failed": str(error)})


main()

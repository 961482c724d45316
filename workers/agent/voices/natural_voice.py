"""Speech synthesis over JSON lines: {"id", "text", "speaker"} in; {"id", "rate", "pcm"} or {"id", "failed"} out; {"ready": true} when loaded."""

import base64
import json
import sys

import numpy
from hibari import SAMPLE_RATE, Hibari

from speaker import speak


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
            text, speaker = request["text"], request["speaker"]
            sound = tts(text) if speaker is None else speak(tts, text, speaker)
            audio = numpy.clip(numpy.asarray(sound), -1, 1)
            pcm = (audio * 32767).astype("<i2").tobytes()
            tell({"id": request["id"], "rate": SAMPLE_RATE, "pcm": base64.b64encode(pcm).decode()})
        except Exception as error:
            tell({"id": request["id"], "failed": str(error)})


main()

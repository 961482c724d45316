"""Transcribes English speech without hints: reads JSON lines {"rate", "pcm"} and writes {"text"}."""

import base64
import json
import sys

from pocketsphinx import Decoder

decoders = {}


def decoder_at(rate):
    if rate not in decoders:
        # `batch` normalises each sound by itself, independent of earlier ones.
        decoders[rate] = Decoder(samprate=rate, cmn="batch", loglevel="FATAL")
    return decoders[rate]


for line in sys.stdin:
    sound = json.loads(line)
    decoder = decoder_at(sound["rate"])
    decoder.start_utt()
    decoder.process_raw(base64.b64decode(sound["pcm"]), full_utt=True)
    decoder.end_utt()
    heard = decoder.hyp()
    print(json.dumps({"text": heard.hypstr if heard else ""}))

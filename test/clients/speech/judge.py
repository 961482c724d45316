"""Writes what it understands: lines of JSON in, {"rate", "pcm"}, and out, {"text"}. Any English words: nothing tells it what to expect."""

import base64
import json
import sys

from pocketsphinx import Decoder

decoders = {}


def decoder_at(rate):
    if rate not in decoders:
        # `batch`: a sound is normalised by itself, so that none depends on those before it.
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

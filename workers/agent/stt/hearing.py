"""Speech recognition over JSON lines, with the models in the folder that is named: Moonshine and Smart Turn.

{"id", "transcribe", "rate"} in, {"id", "text", "certainty"} out; {"id", "end_of_turn"}, of 16 kHz, in, {"id", "probability"} out;
or {"id", "failed"}. The certainty is the least probability of the last two words. Sound is mono, 16 bits, in base64. {"ready": true, "longest_seconds"} when the models are loaded.
"""

import base64
import json
import os
import sys

import numpy
from model_session import session_of
from smart_turn import SmartTurn

RATE = 16_000
# Longer speech is cut: it takes memory, and other calls wait for half a second.
LONGEST_SECONDS = 10
# The encoder needs some samples.
SHORTEST_SECONDS = 0.25
# The fastest speakers use five.
TOKENS_PER_SECOND = 6.5
# Nobody says a sentence twice that fast.
REPEATED_TOKENS_PER_SECOND = 5
SHORTEST_REPEATED = 3
START_TOKEN, END_TOKEN = 1, 2
# Begins the first piece of a word.
SPACE = "\u2581"


class Moonshine:
    def __init__(self, folder):
        self.encoder = session_of(os.path.join(folder, "encoder_model.ort"))
        self.decoder = session_of(os.path.join(folder, "decoder_model_merged.ort"))
        with open(os.path.join(folder, "tokenizer.bin"), "rb") as file:
            self.tokens = tokens_in(file.read())
        self.caches = [i for i in self.decoder.get_inputs() if i.name.startswith("past_key_values")]
        self.outputs = [output.name for output in self.decoder.get_outputs()]

    def transcribe(self, samples):
        shortest = int(SHORTEST_SECONDS * RATE)
        padded = numpy.pad(samples, (0, max(0, shortest - len(samples))))[None]
        mask = numpy.ones(padded.shape, numpy.int64)
        (hidden,) = self.encoder.run(None, {"input_values": padded, "attention_mask": mask})
        inputs = {"encoder_hidden_states": hidden, "encoder_attention_mask": mask}
        for cache in self.caches:
            _, heads, _, width = cache.shape
            inputs[cache.name] = numpy.zeros((1, heads, 0, width), numpy.float32)
        tokens = []
        certainties = []
        last = START_TOKEN
        for _ in range(int(padded.shape[1] / RATE * TOKENS_PER_SECOND) + 1):
            inputs["input_ids"] = numpy.array([[last]], numpy.int64)
            inputs["use_cache_branch"] = numpy.array([bool(tokens)])
            logits, *caches = self.decoder.run(self.outputs, inputs)
            for name, cache in zip(self.outputs[1:], caches):
                # Later steps return none of the encoder's.
                if not tokens or ".encoder." not in name:
                    inputs[name.replace("present", "past_key_values")] = cache
            last = int(logits[0, -1].argmax())
            if last == END_TOKEN:
                break
            tokens.append(last)
            certainties.append(1 / float(numpy.exp(logits[0, -1] - logits[0, -1, last]).sum()))
        tokens = without_repetition(tokens, padded.shape[1] / RATE)
        pieces = [self.tokens[token] for token in tokens]
        text = b"".join(pieces).decode("utf-8", "ignore").replace(SPACE, " ").strip()
        return text, certainty_of(pieces, certainties)


def tokens_in(data):
    """Each token follows its length: a byte below 128, or two with the lower seven bits first."""
    tokens = []
    at = 0
    while at < len(data):
        length = data[at]
        at += 1
        if length >= 128:
            length += data[at] * 128 - 128
            at += 1
        tokens.append(data[at : at + length])
        at += length
    return tokens


def without_repetition(tokens, seconds):
    """The network tends to repeat a sentence that ends in noise."""
    if len(tokens) <= seconds * REPEATED_TOKENS_PER_SECOND:
        return tokens
    for length in range(SHORTEST_REPEATED, len(tokens) - SHORTEST_REPEATED + 1):
        repeated = tokens[:length] * (len(tokens) // length + 1)
        if tokens == repeated[: len(tokens)]:
            return tokens[:length]
    return tokens


def certainty_of(pieces, certainties):
    """Least probability of the last two words, without punctuation. 1 if there are none."""
    words = []
    for piece, certainty in zip(pieces, certainties):
        text = piece.decode("utf-8", "ignore")
        if not any(character.isalnum() for character in text):
            continue
        if text.startswith(SPACE) or not words:
            words.append(1.0)
        words[-1] *= certainty
    return min(words[-2:], default=1.0)


def samples_of(sound, rate):
    """At RATE, between -1 and 1."""
    samples = numpy.frombuffer(base64.b64decode(sound), "<i2").astype(numpy.float32) / 32768
    if rate == RATE or len(samples) == 0:
        return samples
    spectrum = numpy.fft.rfft(samples)
    length = round(len(samples) * RATE / rate)
    return (numpy.fft.irfft(spectrum, length) * (length / len(samples))).astype(numpy.float32)


def tell(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def answer(request, work):
    try:
        tell({"id": request["id"], **work(request)})
    except Exception as error:
        tell({"id": request["id"], "failed": str(error)})


def main():
    folder = sys.argv[1]
    model = Moonshine(folder)
    smart_turn = SmartTurn(os.path.join(folder, "smart-turn-v3.2-cpu.onnx"))

    def transcribe(request):
        text, certainty = model.transcribe(samples_of(request["transcribe"], request["rate"]))
        return {"text": text, "certainty": certainty}

    def judge(request):
        return {"probability": smart_turn.probability(samples_of(request["end_of_turn"], RATE))}

    # The first run takes longer.
    model.transcribe(numpy.zeros(RATE, numpy.float32))
    smart_turn.probability(numpy.zeros(RATE, numpy.float32))
    tell({"ready": True, "longest_seconds": LONGEST_SECONDS})
    # One after the other, because the words come first: the language model can begin with them.
    for line in sys.stdin:
        request = json.loads(line)
        answer(request, judge if "end_of_turn" in request else transcribe)


if __name__ == "__main__":
    main()

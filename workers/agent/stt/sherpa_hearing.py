"""Speech recognition over JSON lines as in hearing.py, by sherpa-onnx, with the model in the folder that is named.

Requests may have "language", which Whisper follows, and "goes_on": a later one repeats the sound, with more of it.
"""

import base64
import json
import os
import sys
from array import array

import sherpa_onnx


class Whisper:
    # It ignores what follows 30 seconds.
    longest_seconds = 26
    # Silence after the speech, in hundredths of a second: it ends the text. The default of ten seconds takes as long as speech.
    TAIL = 300

    def __init__(self, files):
        self.model = sherpa_onnx.OfflineRecognizer.from_whisper(
            encoder=files["encoder"],
            decoder=files["decoder"],
            tokens=files["tokens"],
            language="",
            tail_paddings=self.TAIL,
            num_threads=1,
        )

    def transcribe(self, sound, rate, language, goes_on):
        settings = self.model.config.model_config.whisper
        if settings.language != language:
            settings.language = language
            self.model.recognizer.set_config(self.model.config)
        stream = self.model.create_stream()
        stream.accept_waveform(rate, samples_of(sound))
        self.model.decode_stream(stream)
        return stream.result.text.strip()


class Streaming:
    """A transducer that continues speech which goes on, instead of hearing it again from its start."""

    longest_seconds = 60
    # As many people speak at once.
    MOST_STREAMS = 16
    # The model hears the last words only with some sound after them.
    TAIL_SECONDS = 0.8

    def __init__(self, files):
        parts = {part: files[part] for part in ("encoder", "decoder", "joiner", "tokens")}
        self.model = sherpa_onnx.OnlineRecognizer.from_transducer(**parts, num_threads=1)
        # Sound that was heard, and the stream that heard it; the oldest first.
        self.streams = {}

    def transcribe(self, sound, rate, language, goes_on):
        heard = next((heard for heard in self.streams if sound.startswith(heard)), b"")
        stream = self.streams.pop(heard, None) or self.model.create_stream()
        stream.accept_waveform(rate, samples_of(sound[len(heard) :]))
        if not goes_on:
            stream.accept_waveform(rate, [0.0] * int(self.TAIL_SECONDS * rate))
            stream.input_finished()
        while self.model.is_ready(stream):
            self.model.decode_stream(stream)
        text = self.model.get_result(stream).strip()
        if goes_on and sound:
            self.streams[sound] = stream
            if len(self.streams) > self.MOST_STREAMS:
                del self.streams[next(iter(self.streams))]
        return text


def samples_of(sound):
    return [sample / 32768 for sample in array("h", sound)]


def files_in(folder):
    files = {}
    for name in sorted(os.listdir(folder)):
        for part in ("encoder", "decoder", "joiner", "tokens"):
            if part in name and name.endswith((".onnx", ".txt")):
                files[part] = os.path.join(folder, name)
    return files


def tell(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    files = files_in(sys.argv[1])
    model = Streaming(files) if "joiner" in files else Whisper(files)
    # The first run takes longer.
    model.transcribe(bytes(32_000), 16_000, "", False)
    tell({"ready": True, "longest_seconds": model.longest_seconds})
    for line in sys.stdin:
        request = json.loads(line)
        sound = base64.b64decode(request["transcribe"])
        language = request.get("language", "")
        try:
            text = model.transcribe(sound, request["rate"], language, request.get("goes_on", False))
            tell({"id": request["id"], "text": text})
        except Exception as error:
            tell({"id": request["id"], "failed": str(error)})


if __name__ == "__main__":
    main()

"""Probability that a turn of speech is over, by the Smart Turn v3 model (BSD-2, https://github.com/pipecat-ai/smart-turn)."""

import numpy
from model_session import session_of
from numpy.lib.stride_tricks import sliding_window_view

RATE = 16_000
# The model sees the last eight seconds.
SAMPLES = 8 * RATE
WINDOW = 400
HOP = 160
MELS = 80


class SmartTurn:
    def __init__(self, file):
        self._session = session_of(file)
        self._filters = mel_filters()
        self._window = numpy.hanning(WINDOW + 1)[:-1]

    def probability(self, samples):
        """`samples`: mono float32 at 16 kHz, -1 to 1."""
        audio = samples[-SAMPLES:]
        audio = numpy.pad(audio, (SAMPLES - len(audio), 0))
        features = self._features(audio)[None, ...]
        (probabilities,) = self._session.run(None, {"input_features": features})[:1]
        return float(numpy.ravel(probabilities)[0])

    def _features(self, audio):
        """Log-mel features as of Whisper: float32, 80 x 800."""
        audio = (audio - audio.mean()) / numpy.sqrt(audio.var() + 1e-7)
        padded = numpy.pad(audio, WINDOW // 2, mode="reflect")
        frames = sliding_window_view(padded, WINDOW)[::HOP][:-1]
        power = numpy.abs(numpy.fft.rfft(frames * self._window)) ** 2
        logs = numpy.log10(numpy.maximum(self._filters @ power.T, 1e-10))
        logs = numpy.maximum(logs, logs.max() - 8)
        return ((logs + 4) / 4).astype(numpy.float32)


def mel_filters():
    """Slaney's triangular filters, of equal area: 80 x 201."""
    edges = hertz(numpy.linspace(mel(0), mel(RATE / 2), MELS + 2))
    bins = numpy.linspace(0, RATE / 2, WINDOW // 2 + 1)
    slopes = edges[:, None] - bins[None, :]
    widths = numpy.diff(edges)[:, None]
    triangles = numpy.maximum(0, numpy.minimum(-slopes[:-2] / widths[:-1], slopes[2:] / widths[1:]))
    return triangles * (2 / (edges[2:] - edges[:-2]))[:, None]


# Linear below 1 kHz, logarithmic above.
LOG_STEP = numpy.log(6.4) / 27


def mel(frequency):
    return 3 * frequency / 200 if frequency < 1000 else 15 + numpy.log(frequency / 1000) / LOG_STEP


def hertz(mels):
    return numpy.where(mels < 15, 200 * mels / 3, 1000 * numpy.exp(LOG_STEP * (mels - 15)))

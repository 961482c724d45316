"""Turns the voice of hibari into other speakers: pitch and formants change independently, before its spectra become sound."""

import numpy
from hibari import dsp

BINS = dsp.N_FFT // 2 + 1
BIN_HZ = dsp.SR / dsp.N_FFT
VOICED_HZ = 40


def speak(tts, text, voice):
    """`voice`: factors for `pitch`, for its movement (`range`), for the `formants`, and for the `pace`. -> samples"""
    rng = numpy.random.default_rng()
    sounds = [sound(tts, tts.ids(phonemes), voice, rng) for phonemes in tts.phonemize(text)]
    return numpy.concatenate(sounds) if sounds else numpy.zeros(0, numpy.float32)


def sound(tts, ids, voice, rng):
    pace = numpy.asarray([voice["pace"]], numpy.float32)
    harmonic, _, noise, rest, phase, pitch = (
        part[0] for part in tts.sess.run(None, {"ids": numpy.asarray([ids], numpy.int64), "speed": pace})
    )
    source = numpy.minimum(numpy.arange(BINS) / voice["formants"], BINS - 1)
    below = source.astype(int)
    above = numpy.minimum(below + 1, BINS - 1)
    share = (source - below).astype(numpy.float32)[:, None]
    warped = lambda part: part[below] * (1 - share) + part[above] * share

    envelope = warped(between_harmonics(harmonic, pitch))
    nearest = numpy.where(share[:, 0] < 0.5, below, above)
    spectrum = dsp.stft(dsp.pulses(shifted(pitch, voice)), envelope.shape[1])
    spectrum *= numpy.exp(numpy.minimum(envelope, 7) + 1j * minimum_phase(envelope))
    random = rng.standard_normal((BINS, 2 * len(pitch)), dtype=numpy.float32).view(numpy.complex64)
    spectrum += random * dsp.ex(warped(noise))
    spectrum += dsp.ex(warped(rest)) * numpy.exp(1j * phase[nearest])
    return dsp.ola(spectrum)


def shifted(pitch, voice):
    voiced = pitch > VOICED_HZ
    if not voiced.any():
        return pitch
    logarithms = numpy.log(pitch[voiced])
    middle = logarithms.mean()
    moved = pitch.copy()
    moved[voiced] = numpy.exp(middle + (logarithms - middle) * voice["range"]) * voice["pitch"]
    return moved


def between_harmonics(harmonic, pitch):
    """The model sets the spectrum at the harmonics of its own pitch only. Joins them, for harmonics of another pitch."""
    joined = harmonic.copy()
    for frame in numpy.flatnonzero(pitch > VOICED_HZ):
        step = pitch[frame] / BIN_HZ
        at = numpy.arange(1, int((BINS - 1) / step) + 1) * step
        peaks = numpy.interp(at, numpy.arange(BINS), harmonic[:, frame])
        joined[:, frame] = numpy.interp(numpy.arange(BINS), at, peaks)
    return joined


def minimum_phase(envelope):
    """The phase of a throat with these resonances, from the folded cepstrum."""
    cepstrum = numpy.fft.irfft(envelope, dsp.N_FFT, axis=0)
    cepstrum[1 : BINS - 1] *= 2
    cepstrum[BINS:] = 0
    return numpy.fft.rfft(cepstrum, axis=0).imag.astype(numpy.float32)

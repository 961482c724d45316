"""Variations of a clip, so that a few voices stand for many: other throats, rooms, lines, levels and noises."""
import numpy as np
import pyworld
from scipy import fft

RATE = 24000
STEP_MS = 5.0


class Taken:
    """A voice split by WORLD into pitch, throat and breath, and resynthesised as another one."""

    def __init__(self, sound):
        sound = sound.astype(np.float64)
        pitch, times = pyworld.dio(sound, RATE, frame_period=STEP_MS, speed=4)
        self.pitch = pyworld.stonemask(sound, pitch, times, RATE)
        self.throat = pyworld.cheaptrick(sound, self.pitch, times, RATE)
        self.breath = pyworld.d4c(sound, self.pitch, times, RATE)

    def spoken(self, rng):
        """-> (sound, stretch)"""
        voiced = self.pitch > 40
        mean = np.exp(np.log(self.pitch[voiced]).mean()) if voiced.any() else 120.0
        # Taller means lower: mostly, but with variation.
        size = rng.uniform(-1, 1)
        wanted = 150 * np.exp(-0.5 * size + rng.uniform(-0.2, 0.2))
        throat = np.clip((mean / 150) ** -0.25 * np.exp(-0.13 * size + rng.uniform(-0.06, 0.06)), 0.76, 1.3)
        lively = rng.uniform(0.3, 1.5)
        pitch = np.where(voiced, wanted * (np.maximum(self.pitch, 1) / mean) ** lively, 0.0)
        bins = self.throat.shape[1]
        places = np.minimum(bins - 1, np.arange(bins) / throat)
        low = places.astype(int)
        high = np.minimum(bins - 1, low + 1)
        share = places - low
        log = np.log(self.throat)
        shape = np.exp(log[:, low] * (1 - share) + log[:, high] * share)
        breath = self.breath[:, low] * (1 - share) + self.breath[:, high] * share
        breath = breath ** np.exp(rng.uniform(-0.6, 0.5))
        if rng.random() < 0.06:
            # A whisper: breath only, with less bass.
            pitch = np.zeros_like(pitch)
            breath = np.ones_like(breath)
            shape = shape * np.minimum(1, (np.arange(bins) / bins * 12000 / 900) ** 2 + 0.03)
        stretch = float(np.exp(rng.uniform(-0.16, 0.16)))
        sound = pyworld.synthesize(pitch, np.ascontiguousarray(shape), np.ascontiguousarray(np.clip(breath, 0, 1)), RATE, STEP_MS * stretch)
        return sound.astype("f4"), stretch


def disguise(sound, speech, rng, noises, strength=1.0, reshaped=False, noisy=False):
    """-> (sound, stretch): multiply the labels' times by `stretch`. `speech` marks samples that are not pauses."""
    sound = sound.astype("f4")
    stretch = 1.0
    if rng.random() < (0.3 if reshaped else 0.8) * strength:
        # A change of speed changes the voice: throat and pitch together.
        stretch = float(np.exp(rng.uniform(-0.17, 0.17)))
        moments = np.arange(int(len(sound) * stretch)) / stretch
        sound = np.interp(moments, np.arange(len(sound)), sound).astype("f4")
        speech = speech[np.minimum(len(speech) - 1, moments.astype(int))]
    level = np.sqrt(np.mean(sound[speech] ** 2)) + 1e-6
    if rng.random() < 0.75 * strength:
        sound = equalise(sound, rng)
    if rng.random() < 0.3 * strength:
        sound = room(sound, rng)
    if rng.random() < 0.3 * strength:
        # Some voices vary in loudness.
        seconds = len(sound) // RATE + 2
        sound = sound * 10 ** (np.interp(np.arange(len(sound)) / RATE, np.arange(seconds), rng.uniform(-6, 3, seconds)) / 20)
    if noisy or rng.random() < 0.55 * strength:
        beside = noises[rng.integers(len(noises))]
        beside = np.resize(np.roll(beside, rng.integers(len(beside))), len(sound))
        sound = sound + beside * level * 10 ** (-(rng.uniform(5, 15) if noisy else rng.uniform(4, 32)) / 20)
    if rng.random() < 0.13 * strength:
        sound = band_limit(sound, rng.uniform(3300, 4000), rng.uniform(60, 300))
        if rng.random() < 0.5:
            sound = telephone(sound)
    if rng.random() < 0.1 * strength:
        top = np.quantile(np.abs(sound[: len(speech)][speech[: len(sound)]]), rng.uniform(0.9, 0.99))
        sound = np.clip(sound, -top, top)
    gain = 10 ** (rng.uniform(-30, 12) / 20)
    return np.clip(sound * gain, -1, 1), stretch


def spectrum_of(sound, tail=0):
    size = fft.next_fast_len(len(sound) + tail, real=True)
    return fft.rfft(sound, size), fft.rfftfreq(size, 1 / RATE).astype("f4"), size


def equalise(sound, rng):
    spectrum, hertz, size = spectrum_of(sound)
    octaves = np.log2(np.maximum(hertz[::64], 60) / 1000)
    tilt = rng.uniform(-3.5, 3.5) * octaves
    bumps = sum(rng.uniform(-6, 6) * np.exp(-(((octaves - rng.uniform(-3, 3)) / rng.uniform(0.3, 1.2)) ** 2)) for _ in range(3))
    gain = 10 ** (np.clip(tilt + bumps, -18, 12) / 20)
    return fft.irfft(spectrum * np.interp(hertz, hertz[::64], gain).astype("f4"), size)[: len(sound)]


def band_limit(sound, top, bottom):
    spectrum, hertz, size = spectrum_of(sound)
    spectrum *= 1 / (1 + np.exp(np.clip((hertz - top) / 120, -30, 30))) / (1 + np.exp(np.clip((bottom - hertz) / 40, -30, 30)))
    return fft.irfft(spectrum, size)[: len(sound)]


def telephone(sound):
    """8 bits with the logarithmic spacing of telephone lines."""
    top = np.abs(sound).max() + 1e-6
    bent = np.sign(sound) * np.log1p(255 * np.abs(sound / top)) / np.log(256)
    bent = np.round(bent * 127) / 127
    return np.sign(bent) * (np.exp(np.abs(bent) * np.log(256)) - 1) / 255 * top


def room(sound, rng):
    length = int(rng.uniform(0.05, 0.45) * RATE)
    echo = rng.standard_normal(length) * np.exp(-6 * np.arange(length) / length)
    echo *= rng.uniform(0.1, 0.45) / np.sqrt(np.sum(echo**2))
    echo[0] = 1
    spectrum, _, size = spectrum_of(sound, length)
    return fft.irfft(spectrum * fft.rfft(echo.astype("f4"), size), size)[: len(sound)]

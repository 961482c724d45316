"""A synthetic voice: resonances of a throat over a buzz and a hiss. It sounds artificial, but it covers what none of the
twelve recorded voices does: long vowels (as when people think while they speak), humming, and any throat."""
import numpy as np

RATE = 24000
STEP = 0.005
SIZE = 1024
HZ = np.fft.rfftfreq(SIZE, 1 / RATE)

VOWELS = {
    "i": (280, 2280, 3000), "ɪ": (390, 1990, 2550), "e": (430, 2100, 2650), "ɛ": (540, 1830, 2480), "æ": (670, 1700, 2410),
    "a": (760, 1300, 2500), "ɑ": (730, 1090, 2440), "ʌ": (640, 1190, 2390), "ɔ": (570, 850, 2410), "o": (430, 800, 2400),
    "ʊ": (440, 1020, 2240), "u": (310, 800, 2250), "y": (275, 1850, 2150), "ø": (380, 1550, 2250), "ə": (500, 1450, 2450),
}  # fmt: skip
# name: formants, voice, hiss, hiss's lower and upper edge, shortest and longest duration
CONSONANTS = {
    "m": ((250, 1000, 2200), 0.30, 0, 0, 0, 0.05, 0.16), "n": ((260, 1500, 2500), 0.32, 0, 0, 0, 0.04, 0.12),
    "b": ((200, 800, 2200), 0.05, 0, 0, 0, 0.05, 0.12), "d": ((200, 1700, 2600), 0.05, 0, 0, 0, 0.04, 0.09),
    "g": ((200, 2000, 2500), 0.05, 0, 0, 0, 0.05, 0.10), "p": ((250, 800, 2200), 0, 0, 0, 0, 0.06, 0.14),
    "t": ((250, 1700, 2600), 0, 0, 0, 0, 0.05, 0.10), "k": ((250, 2000, 2500), 0, 0, 0, 0, 0.05, 0.10),
    "s": ((300, 1700, 2600), 0, 0.12, 4200, 11000, 0.07, 0.15), "ʃ": ((300, 1800, 2500), 0, 0.16, 2000, 6000, 0.07, 0.15),
    "z": ((300, 1700, 2600), 0.12, 0.07, 4200, 11000, 0.06, 0.12), "f": ((350, 1000, 2300), 0, 0.03, 900, 10000, 0.07, 0.14),
    "v": ((320, 1000, 2300), 0.16, 0.015, 900, 10000, 0.05, 0.10), "l": ((360, 1200, 2700), 0.5, 0, 0, 0, 0.05, 0.10),
    "w": ((310, 700, 2200), 0.5, 0, 0, 0, 0.06, 0.12), "j": ((280, 2200, 3000), 0.5, 0, 0, 0, 0.05, 0.10),
    "ɹ": ((420, 1200, 1600), 0.5, 0, 0, 0, 0.06, 0.12),
}  # fmt: skip
LIPS_SHUT = "pbm"


def speak(seconds, rng):
    """-> (sound, phones as in the labels, samples that are speech)"""
    throat = np.exp(rng.uniform(-0.12, 0.3))
    phones, tracks = [], []
    at = 0.0

    def add(name, length, formants, voice, hiss, low, high):
        nonlocal at
        steps = max(1, round(length / STEP))
        phones.append([at, at + steps * STEP, name])
        tracks.extend([(*formants, voice, hiss, low, high)] * steps)
        at += steps * STEP

    while at < seconds:
        add("_", rng.uniform(0.15, 0.9), (500, 1500, 2500), 0, 0, 0, 0)
        for _ in range(rng.integers(1, 12)):
            strength = rng.uniform(0.5, 1)
            if rng.random() < 0.8:
                # Shut lips are the most visible shape, and rare in speech.
                name = rng.choice(list(LIPS_SHUT)) if rng.random() < 0.35 else rng.choice(list(CONSONANTS))
                formants, voice, hiss, low, high, least, most = CONSONANTS[name]
                longer = 4 if name == "m" and rng.random() < 0.15 else 1
                add(name, rng.uniform(least, most) * longer, formants, voice * strength, hiss * strength, low, high)
                if name in "ptk":
                    # The burst, and the breath after it, belong to the stop.
                    begun = phones.pop()[0]
                    wide = {"p": (400, 3000), "t": (3000, 9000), "k": (1500, 4000)}[name]
                    add(name, rng.uniform(0.01, 0.03), formants, 0, 0.06 * strength, *wide)
                    phones[-1][0] = begun
            name = rng.choice(list(VOWELS))
            held = rng.random() < 0.2
            formants = np.array(VOWELS[name]) * rng.uniform(0.94, 1.06, 3)
            add(name, rng.uniform(0.3, 1.6) if held else rng.uniform(0.06, 0.22), formants, strength, 0, 0, 0)
    add("_", 0.4, (500, 1500, 2500), 0, 0, 0, 0)
    tracks = np.array(tracks)
    sound = sing(tracks, throat, rng)
    speech = np.repeat(tracks[:, 3] + tracks[:, 4] > 0, int(STEP * RATE))[: len(sound)]
    return sound, phones, speech


def sing(tracks, throat, rng):
    formants = np.stack([smooth(tracks[:, k], 9) for k in range(3)], 1) * throat
    voice = smooth(tracks[:, 3], 4)
    hiss = smooth(tracks[:, 4], 3)
    hop = int(STEP * RATE)
    samples = len(tracks) * hop + SIZE
    steps = np.arange(samples)
    slow = lambda most, every: np.interp(steps, np.arange(0, samples + every, every), rng.uniform(-most, most, samples // every + 2)[: len(np.arange(0, samples + every, every))])
    pitch = rng.uniform(85, 150) * throat**2.2 * np.exp(slow(0.25, int(0.35 * RATE)) + slow(0.02, int(0.02 * RATE)))
    phase = np.cumsum(pitch / RATE)
    buzz = np.diff(np.floor(phase), prepend=0) * (1 + 0.1 * rng.standard_normal(samples))
    breath = rng.uniform(0, 0.05) * rng.standard_normal(samples)
    white = rng.standard_normal(samples)
    window = np.hanning(SIZE // 2)
    sound = np.zeros(samples)
    tilt = rng.uniform(5, 9)
    source = 1 / (1 + (HZ / 400) ** 2) ** (tilt / 12) * np.sqrt(1 + (HZ / 300) ** 2) ** 0.4
    upper = [resonance(f * throat, 250) for f in (3500, 4500)]
    for step in range(len(tracks)):
        start = step * hop
        piece = slice(start, start + SIZE // 2)
        spectrum = 0
        if voice[step] > 1e-3:
            response = source * upper[0] * upper[1]
            for k in range(3):
                response = response * resonance(formants[step, k], 60 + 30 * k)
            spectrum = voice[step] * 6 * response * np.fft.rfft((buzz[piece] * 8 + breath[piece]) * window, SIZE)
        if hiss[step] > 1e-3:
            low, high = tracks[min(step + 1, len(tracks) - 1), 5:7]
            if high > 0:
                shape = 1 / (1 + np.exp((low * throat - HZ) / 200)) / (1 + np.exp((HZ - high) / 400))
                spectrum = spectrum + hiss[step] * shape * np.fft.rfft(white[piece] * window, SIZE)
        if not np.isscalar(spectrum):
            sound[start : start + SIZE] += np.fft.irfft(spectrum, SIZE)[: samples - start]
    # The parameters apply at the middle of a piece.
    sound = sound[SIZE // 4 : SIZE // 4 + len(tracks) * hop]
    return 0.3 * sound / np.abs(sound).max()


def resonance(hertz, width):
    return hertz**2 / (hertz**2 - HZ**2 + 1j * HZ * width)


def smooth(values, steps):
    padded = np.pad(values, (steps // 2, steps - 1 - steps // 2), mode="edge")
    return np.convolve(padded, np.ones(steps) / steps, mode="valid")

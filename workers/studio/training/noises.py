"""Synthetic background sounds: hiss, wind, hum, music, clicks, steps, and a crowd of the given voices. Each has power 1."""
import numpy as np
from scipy import fft

RATE = 24000


def noise(samples, rng, voices):
    """One kind, or a mixture of two."""
    chosen = rng.choice(len(KINDS), size=1 if rng.random() < 0.75 else 2, replace=False, p=SHARES)
    mixed = sum(KINDS[k](samples, rng, voices) for k in chosen)
    return (mixed / (np.sqrt(np.mean(mixed**2)) + 1e-9)).astype("f4")


def white(samples, rng, _):
    return rng.standard_normal(samples, dtype="f4")


def coloured(samples, rng, _):
    spectrum = fft.rfft(rng.standard_normal(samples, dtype="f4"))
    hertz = np.maximum(fft.rfftfreq(samples, 1 / RATE), 30)
    made = fft.irfft(spectrum / hertz ** rng.uniform(0.2, 1.0), samples)
    made /= made.std()
    if rng.random() < 0.5:
        # Slow changes in level, as in wind and traffic.
        seconds = samples // RATE + 2
        made = made * np.interp(np.arange(samples) / RATE, np.arange(seconds), rng.uniform(0.2, 1, seconds))
    return made


def hum(samples, rng, _):
    seconds = np.arange(samples) / RATE
    base = rng.uniform(48, 400)
    drift = 1 + rng.uniform(0, 0.01) * np.sin(2 * np.pi * rng.uniform(0.1, 3) * seconds)
    phase = 2 * np.pi * base * np.cumsum(drift) / RATE
    made = sum(np.sin(phase * h + rng.uniform(0, 6)) * rng.uniform(0, 1) / h ** rng.uniform(0.3, 1.2) for h in range(1, 10))
    return made / (made.std() + 1e-9)


def music(samples, rng, _):
    """A random piece of chords, bass, melody and drums, in any tempo and timbre."""
    made = np.zeros(samples + 4 * RATE)
    beat = int(rng.uniform(0.2, 0.8) * RATE)
    scale = np.array([0, 2, 4, 5, 7, 9, 11] if rng.random() < 0.6 else [0, 2, 3, 5, 7, 8, 10])
    key = 55 * 2 ** (rng.integers(0, 12) / 12)
    pitch = lambda step: key * 2 ** ((scale[step % 7] + 12 * (step // 7)) / 12)
    parts = rng.random(4) < (0.75, 0.6, 0.5, 0.6)
    if not parts.any():
        parts[0] = True
    timbres = [(rng.uniform(0.6, 2.2), rng.integers(2, 9), rng.uniform(0.5, 6), rng.uniform(0.003, 0.08)) for _ in range(3)]

    def play(at, hertz, length, timbre, strength):
        fall, overtones, fade, attack = timbre
        seconds = np.arange(int(length * RATE)) / RATE
        note = np.zeros(len(seconds))
        for h in range(1, overtones + 1):
            if hertz * h < 11000:
                note += np.sin(2 * np.pi * hertz * h * seconds + rng.uniform(0, 6)) / h**fall
        note *= strength * np.exp(-seconds * fade) * np.minimum(1, seconds / attack) * np.minimum(1, (length - seconds) / 0.02)
        end = min(len(made), at + len(note))
        made[at:end] += note[: end - at]

    root = 0
    for number, at in enumerate(range(0, samples, beat)):
        held = beat / RATE * rng.choice([1, 1, 1.5, 2])
        if number % 2 == 0:
            root = int(rng.integers(0, 7))
        if parts[0] and number % 2 == 0:
            for step in (0, 2, 4, 6)[: rng.integers(2, 5)]:
                play(at, pitch(14 + root + step), 2 * held, timbres[0], 1.0)
        if parts[1]:
            play(at, pitch(root + 7 * rng.integers(0, 2)), held, timbres[1], 1.5)
        if parts[2] and rng.random() < 0.8:
            play(at, pitch(int(14 + root + rng.integers(0, 14))), held, timbres[2], 1.3)
        if parts[3]:
            for kind, chance in ((0, 0.6), (1, 0.4), (2, 0.8)):
                if rng.random() < chance:
                    length = (0.15, 0.12, 0.05)[kind]
                    seconds = np.arange(int(length * RATE)) / RATE
                    hit = rng.standard_normal(len(seconds)) * np.exp(-seconds * (50, 35, 90)[kind])
                    if kind == 0:
                        hit = 3 * np.sin(2 * np.pi * (50 + 90 * np.exp(-seconds * 30)) * seconds) * np.exp(-seconds * 15)
                    if kind == 2:
                        hit = np.diff(hit, prepend=0)
                    made[at : at + len(hit)] += hit * rng.uniform(0.3, 1.2)
    made = made[:samples]
    return made / (made.std() + 1e-9)


def clicks(samples, rng, _):
    made = rng.standard_normal(samples) * 1e-3
    gaps = rng.uniform(0.05, 0.9)
    start = 0
    while True:
        start += int(rng.uniform(0.03, gaps) * RATE)
        if start + 2400 > samples:
            return made / made.std()
        hit = rng.standard_normal(2400)
        if rng.random() < 0.4:
            hit = np.sin(2 * np.pi * rng.uniform(150, 3000) * np.arange(2400) / RATE)
        made[start : start + 2400] += hit * np.exp(-np.arange(2400) / rng.uniform(20, 400)) * rng.uniform(0.05, 1)


def crowd(samples, rng, voices):
    """Several distant people speaking at once."""
    if not voices:
        return coloured(samples, rng, voices)
    made = np.zeros(samples)
    for _ in range(rng.integers(3, 8)):
        voice = voices[rng.integers(len(voices))]
        made += np.resize(np.roll(voice, rng.integers(len(voice))), samples) * rng.uniform(0.4, 1)
    return made / (made.std() + 1e-9)


KINDS = [white, coloured, hum, music, clicks, crowd]
SHARES = [0.17, 0.25, 0.07, 0.33, 0.06, 0.12]

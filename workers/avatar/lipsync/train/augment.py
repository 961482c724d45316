"""Every sound file of the set in several disguises, so that twelve voices stand for many: other throats, rooms, lines, levels, noises."""
import numpy as np

RATE = 24000


def disguise(sound, speech, rng, strength=1.0):
    """-> (sound, stretch): times in the labels are to be multiplied by `stretch`. `speech` marks the samples that are not pauses."""
    stretch = 1.0
    if rng.random() < 0.85 * strength:
        # Played slower or faster a voice is another one: throat and pitch together.
        stretch = float(np.exp(rng.uniform(-0.17, 0.17)))
        moments = np.arange(int(len(sound) * stretch)) / stretch
        sound = np.interp(moments, np.arange(len(sound)), sound)
        speech = speech[np.minimum(len(speech) - 1, moments.astype(int))]
    level = np.sqrt(np.mean(sound[speech] ** 2))
    if rng.random() < 0.7 * strength:
        sound = equalise(sound, rng)
    if rng.random() < 0.2 * strength:
        sound = room(sound, rng)
    if rng.random() < 0.55 * strength:
        sound = sound + noise(len(sound), rng) * level * 10 ** (-rng.uniform(3, 32) / 20)
    if rng.random() < 0.12 * strength:
        sound = band_limit(sound, rng.uniform(3300, 4000))
    if rng.random() < 0.1 * strength:
        top = np.quantile(np.abs(sound[speech[: len(sound)]]), 0.97)
        sound = np.clip(sound, -top, top)
    gain = 10 ** (rng.uniform(-30, 12) / 20)
    return np.clip(sound * gain, -1, 1), stretch


def equalise(sound, rng):
    spectrum = np.fft.rfft(sound)
    octaves = np.log2(np.maximum(np.fft.rfftfreq(len(sound), 1 / RATE), 60) / 1000)
    tilt = rng.uniform(-3, 3) * octaves
    bumps = sum(rng.uniform(-5, 5) * np.exp(-(((octaves - rng.uniform(-3, 3)) / rng.uniform(0.4, 1.2)) ** 2)) for _ in range(3))
    return np.fft.irfft(spectrum * 10 ** (np.clip(tilt + bumps, -15, 12) / 20), len(sound))


def band_limit(sound, top):
    spectrum = np.fft.rfft(sound)
    hertz = np.fft.rfftfreq(len(sound), 1 / RATE)
    spectrum *= 1 / (1 + np.exp((hertz - top) / 120)) / (1 + np.exp((200 - hertz) / 40))
    return np.fft.irfft(spectrum, len(sound))


def room(sound, rng):
    length = int(rng.uniform(0.05, 0.3) * RATE)
    echo = rng.standard_normal(length) * np.exp(-6 * np.arange(length) / length)
    echo *= rng.uniform(0.1, 0.35) / np.sqrt(np.sum(echo**2))
    echo[0] = 1
    size = 1 << int(np.ceil(np.log2(len(sound) + length)))
    return np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(echo, size), size)[: len(sound)]


def noise(samples, rng):
    """Of power 1: white, pink, hum, chords, clicks, or a mixture."""
    kinds = [white, pink, hum, chords, clicks]
    chosen = rng.choice(len(kinds), size=1 if rng.random() < 0.7 else 2, replace=False)
    mixed = sum(kinds[k](samples, rng) for k in chosen)
    return mixed / (np.sqrt(np.mean(mixed**2)) + 1e-9)


def white(samples, rng):
    return rng.standard_normal(samples)


def pink(samples, rng):
    spectrum = np.fft.rfft(rng.standard_normal(samples))
    hertz = np.maximum(np.fft.rfftfreq(samples, 1 / RATE), 30)
    made = np.fft.irfft(spectrum / hertz ** rng.uniform(0.3, 0.9), samples)
    # Swelling and fading, as wind and streets do.
    seconds = samples // RATE + 2
    swell = np.interp(np.arange(samples) / RATE, np.arange(seconds), rng.uniform(0.3, 1, seconds))
    return made / made.std() * swell


def hum(samples, rng):
    seconds = np.arange(samples) / RATE
    base = rng.uniform(48, 180)
    return sum(np.sin(2 * np.pi * base * h * seconds + rng.uniform(0, 6)) / h for h in range(1, 8))


def chords(samples, rng):
    """Notes with overtones that fade, a bass, a beat."""
    made = np.zeros(samples)
    length = int(rng.uniform(0.25, 0.9) * RATE)
    seconds = np.arange(int(length * 1.5)) / RATE
    fade = rng.uniform(1, 5)
    for start in range(0, samples, length):
        note = sum(
            np.sin(2 * np.pi * base * h * seconds + rng.uniform(0, 6)) / h ** rng.uniform(0.8, 2)
            for base in 55 * 2 ** (rng.integers(0, 48, 4) / 12)
            for h in range(1, 7)
        ) * np.exp(-seconds * fade) * np.minimum(1, seconds / 0.01)
        note += rng.uniform(0, 2) * rng.standard_normal(len(seconds)) * np.exp(-seconds * 60)
        end = min(samples, start + len(note))
        made[start:end] += note[: end - start]
    return made / (made.std() + 1e-9)


def clicks(samples, rng):
    made = rng.standard_normal(samples) * 1e-3
    start = 0
    while True:
        start += int(rng.uniform(0.05, 0.6) * RATE)
        if start + 800 > samples:
            return made / made.std()
        made[start : start + 800] += rng.standard_normal(800) * np.exp(-np.arange(800) / rng.uniform(30, 200)) * rng.uniform(0.1, 1)

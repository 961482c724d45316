"""Makes the training material: prepare.py SET SPOKEN OUT [PREFIX ...]

SET is the development set (audio/, labels.jsonl, visemes.py), SPOKEN the output of speakers.py. OUT gets FILE.pcm, from
which features.ts makes FILE.features, and FILE.npz with the truth every 10 ms. PREFIXes limit the output to names that
start with one of them. The same seed gives the same files."""
import glob
import json
import os
import sys
import zlib

import numpy as np
import soundfile

import augment
import noises
import voice

SEED = 4
RATE = augment.RATE
HOP = 0.01
# Clips without a voice, 20 s each: the mouth stays shut.
ALONE = 200
# Clips of the synthetic voice, 25 s each.
OWN = 140
NOISES = 160
# Natural voices are worth varying. Hibari's other voices are already varied in speakers.py.
NATURAL = ("kokoro", "flite", "hts", "festival", "hibari-heart")


def main(folder, spoken, out, prefixes):
    sys.path.insert(0, folder)
    import visemes

    os.makedirs(out, exist_ok=True)
    sources = list(from_set(folder, visemes)) + list(from_speakers(spoken, visemes))
    rng = np.random.default_rng([SEED, 30_000])
    # No crowd noise from voices that a fold may hold out.
    names = {label["voice"] for label in map(json.loads, open(f"{folder}/labels.jsonl"))}
    crowd = [sound() for name, whose, sound, _ in sources if whose not in names][:60]
    bank = [noises.noise(30 * RATE, rng, crowd) for _ in range(NOISES)]
    written = []

    def save(name, sound, segs, whose, version):
        np.clip(np.round(sound * 32767), -32768, 32767).astype("<i2").tofile(f"{out}/{name}.pcm")
        np.savez(f"{out}/{name}.npz", voice=whose, version=version, **truth(segs, len(sound) / RATE, visemes))
        written.append(name)

    def wanted(name):
        return name.startswith(prefixes)

    for name, whose, read, segs in filter(lambda source: wanted(source[0]), sources):
        sound = read()
        speech = np.zeros(len(sound), bool)
        for start, end, viseme, *_ in segs:
            if viseme != "sil":
                speech[int(start * RATE) : int(end * RATE)] = True
        natural = name.startswith(NATURAL) and "other" not in name
        of_set = name.endswith("_set")
        seed = zlib.crc32(name.encode())
        # Resynthesis is slow: only every other clip.
        taken = augment.Taken(sound) if natural and (of_set or seed % 2) else None
        versions = 5 if of_set else 3 if natural else 2
        # Some clips once more in strong noise.
        for version in range(versions + (seed % 3 == 0)):
            rng = np.random.default_rng([SEED, seed, version])
            changed, stretch, marked = sound, 1.0, speech
            noisy = version == versions
            if taken and version % 2 == 1:
                changed, stretch = taken.spoken(rng)
                marked = speech[np.minimum(len(speech) - 1, (np.arange(len(changed)) / stretch).astype(int))]
            if version > 0 or not of_set:
                # The first version of each is the plainest.
                changed, more = augment.disguise(changed, marked, rng, bank, 0.6 if version == 0 else 1.0, stretch != 1.0, noisy)
                stretch *= more
            save(f"{name}.{version}", changed, [[s * stretch, e * stretch, *rest] for s, e, *rest in segs], whose, version)
    for number in range(OWN * wanted("own")):
        rng = np.random.default_rng([SEED, 20_000 + number])
        sound, phones, speech = voice.speak(25, rng)
        stretch = 1.0
        if number % 3:
            sound, stretch = augment.disguise(sound, speech, rng, bank)
        save(f"own_{number:02}", sound, [[s * stretch, e * stretch, *rest] for s, e, *rest in visemes.visemes_of(phones)], "own", 1)
    for number in range(ALONE * wanted("alone")):
        rng = np.random.default_rng([SEED, 10_000 + number])
        # No crowd noise: following one of its voices is not an error.
        alone = noises.noise(20 * RATE, rng, []) * 10 ** (rng.uniform(-70, -12) / 20)
        if rng.random() < 0.4:
            # Intermittent noise.
            gate = np.repeat(rng.random(20) < 0.6, RATE)
            alone = alone * np.convolve(gate, np.ones(600) / 600, "same")
        save(f"alone_{number:03}", alone, [[0, 20.0, "sil", [], 0.0]], "none", 1)
    with open(f"{out}/names{'-'.join(['', *filter(None, prefixes)])}.txt", "w") as file:
        file.writelines(f"{out}/{name}.pcm\n" for name in written)


def from_set(folder, visemes):
    """-> name, voice, a function that reads the sound, segments"""
    for label in map(json.loads, open(f"{folder}/labels.jsonl")):
        path = f"{folder}/{label['file']}"
        if os.path.exists(path):
            yield os.path.basename(path)[:-5] + "_set", label["voice"], lambda path=path: soundfile.read(path, dtype="float32")[0], label["segs"]


def from_speakers(folder, visemes):
    for path in sorted(glob.glob(f"{folder}/*.npz")):
        name = os.path.basename(path)[:-4]
        clips = np.load(path, allow_pickle=True)
        for number, phones in enumerate(clips["labels"]):
            whose = "hibari-heart" if name.startswith("hibari") else name
            phones = [(float(s), float(e), str(p)) for s, e, p in phones]
            yield f"{name}_{number:03}", whose, lambda clips=clips, number=number: clips[f"clip{number}"] / np.float32(32768), visemes.visemes_of(phones)


def truth(segs, seconds, visemes):
    """Row h is the moment (h + 1) * HOP, which h + 1 hops cover."""
    times = np.arange(1, int(seconds / HOP) + 1) * HOP
    viseme = np.zeros(len(times), np.int8)
    also = np.zeros(len(times), np.uint16)
    # Visemes that are right within 20 ms, as in the scorer: one bit each.
    near = np.zeros(len(times), np.uint16)
    shut = np.zeros(len(times), np.int8)
    weight = np.ones(len(times), "f4")
    for start, end, name, others, opening in segs:
        here = (times >= start) & (times < end)
        bits = 1 << visemes.VIS15.index(name)
        viseme[here] = visemes.VIS15.index(name)
        for other in others:
            bits |= 1 << visemes.VIS15.index(other)
        also[here] = bits
        near[(times > start - 0.02) & (times < end + 0.02)] |= bits
        if name == "PP" and opening == 0.0:
            shut[(times > start - 0.04) & (times < end + 0.04) & (shut == 0)] = -1
            middle = (start + end) / 2
            held = max(0.015, (end - start) / 2)
            shut[np.abs(times - middle) <= held] = 1
            # Each closure has the same weight, however long.
            weight[here] = np.clip(0.08 / max(0.01, end - start), 0.7, 2.5)
    near[near == 0] = 1
    also[also == 0] = 1
    opening, rounding = visemes.tracks(segs, times)
    return dict(viseme=viseme, also=also, near=near, shut=shut, weight=weight.astype("f2"), opening=opening.astype("f2"), rounding=rounding.astype("f2"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], tuple(sys.argv[4:]) or ("",))

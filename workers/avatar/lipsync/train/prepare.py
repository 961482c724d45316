"""Makes the training material: prepare.py SET OUT [DISGUISES]

SET is the development set (audio/, labels.jsonl, visemes.py). OUT gets OUT/NAME.pcm, from which features.ts makes OUT/NAME.features, and
OUT/NAME.targets.npz with the truth every 5 ms. Needs numpy and soundfile. The same seed gives the same files."""
import json
import os
import sys

import numpy as np
import soundfile

import augment
import voice

SEED = 4
GRID = 0.005
# Noises without a voice, 20 s each: the mouth stays shut.
ALONE = 60
# Clips of our own voice from numbers, 25 s each.
OWN = 45


def main(folder, out, disguises):
    sys.path.insert(0, folder)
    import visemes

    os.makedirs(out, exist_ok=True)
    labels = [json.loads(line) for line in open(f"{folder}/labels.jsonl")]
    names = []
    for number, label in enumerate(labels):
        sound, rate = soundfile.read(f"{folder}/{label['file']}")
        assert rate == augment.RATE
        speech = np.zeros(len(sound), bool)
        for start, end, viseme, *_ in label["segs"]:
            if viseme != "sil":
                speech[int(start * rate) : int(end * rate)] = True
        for version in range(disguises + 1):
            rng = np.random.default_rng([SEED, number, version])
            changed, stretch = (sound, 1.0) if version == 0 else augment.disguise(sound, speech, rng)
            name = f"{os.path.basename(label['file'])[:-5]}.{version}"
            save(out, name, changed, [[s * stretch, e * stretch, *rest] for s, e, *rest in label["segs"]], visemes, label["voice"], version)
            names.append(name)
    for number in range(OWN * (disguises > 0)):
        rng = np.random.default_rng([SEED, 20_000 + number])
        sound, phones, speech = voice.speak(25, rng)
        stretch = 1.0
        if number % 3:
            sound, stretch = augment.disguise(sound, speech, rng)
        segs = [[s * stretch, e * stretch, *rest] for s, e, *rest in visemes.visemes_of(phones)]
        name = f"own_{number:02}.{min(1, number % 3)}"
        save(out, name, sound, segs, visemes, "own", 1)
        names.append(name)
    for number in range(ALONE * (disguises > 0)):
        rng = np.random.default_rng([SEED, 10_000 + number])
        alone = augment.noise(20 * augment.RATE, rng) * 10 ** (rng.uniform(-70, -12) / 20)
        name = f"noise_{number:02}.1"
        save(out, name, np.clip(alone, -1, 1), [[0, 20.0, "sil", [], 0.0]], visemes, "none", 1)
        names.append(name)
    with open(f"{out}/names.txt", "w") as file:
        file.writelines(f"{out}/{name}.pcm\n" for name in names)


def save(out, name, sound, segs, visemes, voice, version):
    (np.clip(np.round(sound * 32767), -32768, 32767)).astype("<i2").tofile(f"{out}/{name}.pcm")
    times = np.arange(int(len(sound) / augment.RATE / GRID) + 40) * GRID
    main = np.zeros(len(times), np.int8)
    also = np.zeros((len(times), len(visemes.VIS15)), bool)
    for start, end, viseme, others, _ in segs:
        here = (times >= start) & (times < end)
        main[here] = visemes.VIS15.index(viseme)
        for other in others:
            also[here, visemes.VIS15.index(other)] = True
    opening, rounding = visemes.tracks(segs, times)
    np.savez_compressed(f"{out}/{name}.targets", viseme=main, also=also, opening=opening.astype("f4"), rounding=rounding.astype("f4"), voice=voice, version=version)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 5)

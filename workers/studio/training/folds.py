"""Scores the four folds of three voices with the worker's own code: folds.py SET CONDITIONS WEIGHTS

WEIGHTS is a folder with VOICE+VOICE+VOICE.json for each fold, trained without these voices. CONDITIONS is the output of
the set's make_conditions.py with --every 1. Runs `npm run --silent lipsync` at 60 and 20 ms of look-ahead, scores with
the set's score.py and prints the tables of results.md. Skips voices whose sound is not in SET."""
import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = f"{os.path.dirname(os.path.abspath(__file__))}/../../.."
HEAD = "| {} | macro-F1 | strict | closure F1 | f/v F1 | opening r | in speech | rounding r | false opening |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"


def main(a):
    sys.path.insert(0, a.set)
    from score import nonspeech, score

    labels = [(a.set, json.loads(line)) for line in open(f"{a.set}/labels.jsonl")]
    noisy = [(a.conditions, json.loads(line)) for line in open(f"{a.conditions}/labels.jsonl")]

    def row(name, items):
        s = score(items)
        figures = (s["macro_f1"], s["strict_f1"], s["closure_f1"], s["f1"]["FF"], s["open_r"], s["open_r_speech"], s["round_r_speech"])
        return f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + f" | {s['false_open_silence']:.4f} |"

    folds = sorted(glob.glob(f"{a.weights}/*.json"))
    for ahead in (60, 20):
        clean, others, cpu = [], {}, []
        print(f"\n## At a look-ahead of {ahead} ms\n\n" + HEAD.format("fold"))
        for path in folds:
            voices = os.path.basename(path)[: -len(".json")].split("+")
            wanted = [(folder, label) for folder, label in labels + noisy if label["voice"] in voices or label["voice"] == "none"]
            wanted = [(f"{folder}/{label['file']}", label) for folder, label in wanted if os.path.exists(f"{folder}/{label['file']}")]
            with tempfile.NamedTemporaryFile(suffix=".jsonl") as out:
                command = ["npm", "run", "--silent", "lipsync", "--", "--fps", "25", "--ahead", str(ahead), "--weights", os.path.abspath(path), "--out", out.name]
                subprocess.run(command + [os.path.abspath(file) for file, _ in wanted], cwd=ROOT, check=True)
                lines = [json.loads(line) for line in open(out.name)]
            cpu.append(lines[0]["meta"]["cpu_s_per_audio_s"])
            frames = {line["file"]: line["frames"] for line in lines[1:]}
            heard = [(label, frames[os.path.basename(file)], 25.0) for file, label in wanted]
            own = [item for item in heard if item[0]["condition"] == "clean"]
            clean += own
            print(row(", ".join(voices), own))
            for item in heard:
                if item[0]["condition"] != "clean":
                    others.setdefault(item[0]["condition"], []).append(item)
        print(row("all", clean))
        print("\n" + HEAD.format("voice"))
        for voice in sorted({item[0]["voice"] for item in clean}):
            print(row(voice, [item for item in clean if item[0]["voice"] == voice]))
        print("\n" + HEAD.format("condition"))
        for condition in sorted(others):
            if not condition.startswith("nonspeech"):
                print(row(condition, others[condition]))
        print("\n| alone | false opening | mean opening |\n| --- | --- | --- |")
        for condition in sorted(others):
            if condition.startswith("nonspeech"):
                s = nonspeech(others[condition])
                print(f"| {condition[len('nonspeech_'):]} | {s['false_open']:.4f} | {s['mean_open']:.4f} |")
        print(f"\nCPU: {1000 * sum(cpu) / len(cpu):.2f} ms for a second of speech, with the resampler.", flush=True)


if __name__ == "__main__":
    a = argparse.ArgumentParser()
    a.add_argument("set")
    a.add_argument("conditions")
    a.add_argument("weights")
    main(a.parse_args())

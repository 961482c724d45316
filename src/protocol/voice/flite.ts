import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { toSpeakable } from './speakable.ts';

/** Sample rate of the mono output of `speak`. */
export const VOICE_RATE = 16_000;

/** Voices built into flite: a woman, and two men. */
export type VoiceName = 'slt' | 'rms' | 'awb';

/** Synthesises one sentence. flite is a command-line program, so each sentence is a fresh run. */
export async function speak(
  flite: WebAssembly.Module,
  sentence: string,
  voice: VoiceName,
): Promise<Int16Array> {
  const files = new PreopenDirectory('.', new Map());
  const quiet = ConsoleStdout.lineBuffered(() => {});
  const args = ['flite', '-voice', voice, '-t', toSpeakable(sentence), '-o', 'speech.wav'];
  const wasi = new WASI(args, [], [new OpenFile(new File([])), quiet, quiet, files], {
    debug: false,
  });
  const instance = await WebAssembly.instantiate(flite, {
    wasi_snapshot_preview1: wasi.wasiImport,
  });

  const code = wasi.start(instance as Parameters<typeof wasi.start>[0]);
  const speech = files.dir.contents.get('speech.wav');
  if (code !== 0 || !(speech instanceof File)) throw new Error(`flite exited with code ${code}`);
  return samplesOfWav(speech.data);
}

function samplesOfWav(wav: Uint8Array): Int16Array {
  const view = new DataView(wav.buffer, wav.byteOffset, wav.byteLength);
  let at = 12;
  while (at + 8 <= wav.byteLength && view.getUint32(at) !== DATA) {
    at += 8 + view.getUint32(at + 4, true);
  }
  const start = at + 8;
  const end = Math.min(wav.byteLength, start + view.getUint32(at + 4, true));
  // Copy: the samples may begin at an odd byte, and the file's buffer can be freed.
  return new Int16Array(wav.slice(start, end - ((end - start) % 2)).buffer);
}

/** `data`, the chunk id of the samples in a WAV file. */
const DATA = 0x64617461;

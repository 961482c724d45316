import type { CallBrief } from '#protocol/call-brief.ts';
import type { Clock } from '#shared/clock.ts';
import { endpointFetch } from '../endpoint-fetch.ts';
import type { Sound, Voice } from './voice.ts';

type Endpoint = NonNullable<CallBrief['tts']>;

/** Rate of OpenAI's `pcm` format; compatible endpoints use the same. */
const SAMPLE_RATE = 24_000;
const FIRST_SOUND_MS = 6_000;

/**
 * A voice at an OpenAI-compatible endpoint. Replaces LiveKit's plugin, which buffers whole
 * sentences, ignores its retry setting, and never times out.
 */
export function endpointVoice(endpoint: Endpoint, clock: Clock): Voice {
  const { url, key, model, voice } = endpoint;
  const fetch = endpointFetch(endpoint);
  const address = `${url.replace(/\/+$/, '')}/audio/speech`;

  async function ask(sentence: string, signal: AbortSignal): Promise<Response> {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, voice, input: sentence, response_format: 'pcm' }),
      signal,
    });
    if (response.ok && response.body) return response;
    // An unread body keeps its connection open.
    await response.body?.cancel();
    throw new Error(`${address} answered ${response.status}`);
  }

  return {
    name: 'endpoint',
    async *speak(sentence, signal) {
      const timeout = new AbortController();
      const cancel = clock.after(FIRST_SOUND_MS, () =>
        timeout.abort(new Error(`${address} did not answer in time`)),
      );
      try {
        const abortOrTimeout = AbortSignal.any([signal, timeout.signal]);
        // One retry: most failures of such endpoints are transient.
        const response = await ask(sentence, abortOrTimeout).catch((error: unknown) => {
          if (abortOrTimeout.aborted) throw error;
          return ask(sentence, abortOrTimeout);
        });
        for await (const samples of wholeSamples(response.body!)) {
          cancel();
          yield { samples, sampleRate: SAMPLE_RATE } satisfies Sound;
        }
      } finally {
        cancel();
      }
    },
  };
}

/** Reassembles samples that are split across chunks. */
async function* wholeSamples(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Int16Array<ArrayBuffer>> {
  let splitSample = new Uint8Array();
  for await (const chunk of body) {
    const bytes = new Uint8Array([...splitSample, ...chunk]);
    const even = bytes.length - (bytes.length % 2);
    splitSample = bytes.slice(even);
    if (even > 0) yield new Int16Array(bytes.slice(0, even).buffer);
  }
}

import type { CallBrief } from '#protocol/call-brief.ts';
import type { Clock } from '#shared/clock.ts';
import { SoundReader, UnreadableSound } from '#shared/sound/sound-reader.ts';
import { endpointFetch } from '../endpoint-fetch.ts';
import type { Sound, Voice } from './voice.ts';

type Endpoint = NonNullable<CallBrief['tts']>;

/** For the first sound, and for what follows. */
const SOUND_MS = 6_000;
/** The longest sound of one sentence. An endless answer must not fill the memory. */
const MAX_SECONDS = 120;
/** Statuses of a server that does not know the format. */
const MISUNDERSTOOD = new Set([400, 415, 422]);

class FormatRefused extends Error {
  override readonly name = 'FormatRefused';
}

class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

/**
 * A voice at an OpenAI-compatible endpoint. Replaces LiveKit's plugin, which buffers whole
 * sentences, ignores its retry setting, and never times out.
 */
export function endpointVoice(endpoint: Endpoint, clock: Clock): Voice {
  const { url, key, model, voice } = endpoint;
  const fetch = endpointFetch(endpoint);
  const address = `${url.replace(/\/+$/, '')}/audio/speech`;
  // `pcm` has the shortest delay; some servers only have `wav`.
  let format: 'pcm' | 'wav' = 'pcm';
  /** Set when the server answers in no format that can be played. */
  let unreadable: Error | null = null;

  async function ask(sentence: string, signal: AbortSignal): Promise<Response> {
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model, voice, input: sentence, response_format: format }),
      signal,
    });
    if (response.ok && response.body) return response;
    // An unread body keeps its connection open.
    await response.body?.cancel();
    const problem = `${address} answered ${response.status}`;
    throw MISUNDERSTOOD.has(response.status) ? new FormatRefused(problem) : new Error(problem);
  }

  async function* speakOnce(sentence: string, signal: AbortSignal): AsyncGenerator<Sound> {
    const timeout = new AbortController();
    const waitForSound = () =>
      clock.after(SOUND_MS, () => timeout.abort(new TimedOut(`${address} did not answer in time`)));
    let cancel = waitForSound();
    try {
      const response = await ask(sentence, AbortSignal.any([signal, timeout.signal]));
      for await (const sound of soundsIn(response)) {
        cancel();
        yield sound;
        cancel = waitForSound();
      }
    } catch (error) {
      throw timeout.signal.aborted ? timeout.signal.reason : error;
    } finally {
      cancel();
    }
  }

  return {
    name: 'endpoint',
    async *speak(sentence, signal) {
      if (unreadable) throw unreadable;
      let hasBegun = false;
      // One retry: most failures of such endpoints are transient.
      for (let isRetry = false; ; isRetry = true) {
        try {
          for await (const sound of speakOnce(sentence, signal)) {
            hasBegun = true;
            yield sound;
          }
          return;
        } catch (error) {
          const isFormat = error instanceof UnreadableSound || error instanceof FormatRefused;
          if (isRetry && error instanceof UnreadableSound) unreadable = error;
          if (isRetry || hasBegun || signal.aborted || error instanceof TimedOut) throw error;
          if (isFormat) format = format === 'pcm' ? 'wav' : 'pcm';
        }
      }
    },
  };
}

/** Throws if there is no sound, or none that can be played. */
async function* soundsIn(response: Response): AsyncGenerator<Sound> {
  const reader = new SoundReader(response.headers.get('content-type') ?? '');
  let sampleCount = 0;
  const soundOf = (samples: Int16Array<ArrayBuffer>): Sound[] => {
    sampleCount += samples.length;
    return samples.length > 0 ? [{ samples, sampleRate: reader.sampleRate }] : [];
  };
  for await (const chunk of response.body!) {
    yield* soundOf(reader.push(chunk));
    if (sampleCount > MAX_SECONDS * reader.sampleRate) return;
  }
  yield* soundOf(reader.end());
  if (sampleCount === 0) throw new Error('the answer has no sound');
}

/*
 * Speaks utterances one at a time: synthesises, sends, and waits for the avatar's report. How
 * speech reaches the avatar is the outlet's matter.
 */
import { builtInVoice } from '#protocol/voice/built-in-voices.ts';
import { VOICE_RATE } from '#protocol/voice/flite.ts';
import { recordingOf } from '#protocol/voice/recorded-sentences.ts';
import { toSentences } from '#protocol/voice/speakable.ts';
import { hasStream, isStopped, nextState, type SendingState } from './sending-state.ts';
import type { TryEvent } from './try-state.ts';

/** `voice`: the id of a built-in voice. */
export type Speak = (sentence: string, voice: string) => Promise<Int16Array>;

export type SpeechStream = {
  /** Mono samples at VOICE_RATE. */
  write(samples: Int16Array): Promise<void>;
  close(seconds: number): Promise<void>;
};

type Outlet = {
  /** Resolves when the avatar listens; a lost avatar needs another wait. */
  ready: () => Promise<unknown>;
  open: () => Promise<SpeechStream>;
  /** No report came in time. */
  onGaveUp: () => void;
};

export type Playback = { heardSeconds: number; isInterrupted: boolean };

/**
 * The current utterance. `stopped` ends the wait for an avatar. `report` settles once: by the
 * avatar, or when no report will come.
 */
type Current = {
  id: number;
  state: SendingState;
  stopped: PromiseWithResolvers<'stopped'>;
  report: PromiseWithResolvers<Playback>;
};

/** Time after the end of the speech in which the avatar's report must arrive. */
const REPORT_GRACE_MS = 8000;

const notHeard: Playback = { heardSeconds: 0, isInterrupted: true };

export class UtteranceLine {
  readonly #speak: Speak;
  readonly #outlet: Outlet;
  readonly #dispatch: (event: TryEvent) => void;
  #current: Current | null = null;
  #line: Promise<void> = Promise.resolve();
  #waiting = new Set<number>();
  #isClosed = false;

  constructor(speak: Speak, outlet: Outlet, dispatch: (event: TryEvent) => void) {
    this.#speak = speak;
    this.#outlet = outlet;
    this.#dispatch = dispatch;
  }

  /** Queues an utterance. */
  say(id: number, text: string, voice: string): void {
    this.#waiting.add(id);
    this.#line = this.#line.then(() => this.#perform(id, text, voice));
  }

  /**
   * Drops queued utterances. True: the avatar has part of the current one and must be interrupted.
   */
  stop(): boolean {
    for (const id of this.#waiting) this.#dispatch({ type: 'not_spoken', id, isFailed: false });
    this.#waiting.clear();
    const current = this.#current;
    if (!current) return false;
    current.state = nextState(current.state, 'stopped');
    current.stopped.resolve('stopped');
    return hasStream(current.state);
  }

  /** The avatar reports the start of the current utterance. */
  started(): void {
    if (this.#current) this.#dispatch({ type: 'started', id: this.#current.id });
  }

  /** The avatar reports its end. */
  finished(playback: Playback): void {
    this.#current?.report.resolve(playback);
  }

  /** The avatar was lost with its buffered speech. */
  lost(): void {
    if (this.#current && hasStream(this.#current.state)) this.#current.report.resolve(notHeard);
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.clear();
    this.#current?.stopped.resolve('stopped');
    this.#current?.report.resolve(notHeard);
  }

  async #perform(id: number, text: string, voice: string): Promise<void> {
    if (!this.#waiting.delete(id)) return;
    const report = Promise.withResolvers<Playback>();
    const stopped = Promise.withResolvers<'stopped'>();
    const current: Current = { id, state: 'preparing', stopped, report };
    this.#current = current;
    try {
      const seconds = await this.#send(current, text, voice);
      if (!hasStream(current.state)) report.resolve(notHeard);
      const cancel = after(seconds * 1000 + REPORT_GRACE_MS, () => {
        this.#outlet.onGaveUp();
        report.resolve(notHeard);
      });
      const playback = await report.promise;
      cancel();
      // The avatar reports a stream without speech as finished.
      this.#dispatch({ type: 'finished', id, ...(seconds === 0 ? notHeard : playback) });
    } catch (error) {
      this.#dispatch({ type: 'not_spoken', id, isFailed: !this.#isClosed });
      if (!this.#isClosed) console.error('utterance not sent', error);
    } finally {
      this.#current = null;
    }
  }

  /** Sends each sentence as soon as it is synthesised. Returns the total duration in seconds. */
  async #send(current: Current, text: string, voice: string): Promise<number> {
    let seconds = 0;
    let stream: SpeechStream | null = null;
    const isRecorded = recordingOf(builtInVoice(voice), text) !== null;
    for (const sentence of isRecorded ? [text] : toSentences(text)) {
      const samples = await this.#speak(sentence, voice);
      const outcome = await Promise.race([this.#outlet.ready(), current.stopped.promise]);
      if (isStopped(current.state) || outcome === 'stopped') break;

      if (!stream) {
        stream = await this.#outlet.open();
        current.state = nextState(current.state, 'stream_opened');
        if (isStopped(current.state)) break;
      }
      const { id } = current;
      const sentenceSeconds = samples.length / VOICE_RATE;
      this.#dispatch({ type: 'synthesised', id, text: sentence, seconds: sentenceSeconds });
      seconds += sentenceSeconds;
      await stream.write(samples);
    }
    await stream?.close(seconds);
    return seconds;
  }
}

function after(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

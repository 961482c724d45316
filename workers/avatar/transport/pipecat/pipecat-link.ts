import type { Resolve } from '#shared/network/address-policy.ts';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { SpeechSource } from '#protocol/worker/gateway-messages.ts';
import type { PipecatFrame } from '#protocol/pipecat/frames.ts';
import { clientReady, rtviTypeOf } from '#protocol/pipecat/rtvi.ts';
import type { SpeechLink, SpeechListener } from '../speech-link.ts';
import { LeftRoom } from '../transport.ts';
import { BotSocket } from './bot-socket.ts';
import { BotSpeech } from './bot-speech.ts';
import {
  advanceLink,
  initialLink,
  type LinkEffect,
  type LinkEvent,
  type LinkState,
} from './link-state.ts';

const BACKOFF: Backoff = { firstMs: 250, maxMs: 2_000 };

type PipecatLinkParts = {
  source: Pick<SpeechSource, 'url' | 'token' | 'networks'>;
  clock: Clock;
  log: Log;
  /** Replaced by tests. */
  resolve?: Resolve;
};

/**
 * Speech of a Pipecat websocket bot, which the worker dials as a browser would. Dials when the
 * avatar is in its room and a visitor has come, because most bots greet on connecting. Owns the
 * socket, the bot's speech and all timers.
 */
export class PipecatLink implements SpeechLink {
  readonly #parts: PipecatLinkParts;
  readonly #ended = Promise.withResolvers<EndReason>();
  #listener: SpeechListener | null = null;
  #speech: BotSpeech | null = null;
  #state: LinkState = initialLink;
  #socket: BotSocket | null = null;
  #cancelRetry = () => {};

  constructor(parts: PipecatLinkParts) {
    this.#parts = parts;
    // It may reject before the session waits for it.
    this.#ended.promise.catch(() => {});
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  /** Connects later. Until the bot is lost, it counts as here. */
  async open(listener: SpeechListener): Promise<void> {
    const { clock, log } = this.#parts;
    this.#listener = listener;
    this.#speech = new BotSpeech({ clock, log, listener });
    listener.present(true);
  }

  shown(): void {
    this.#dispatch({ type: 'shown' });
  }

  visited(isVisited: boolean): void {
    this.#dispatch({ type: 'visited', isVisited });
  }

  hear(samples: Int16Array): void {
    const audio = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    this.#socket?.send({ type: 'audio', audio, sampleRate: HEARING_RATE, channels: 1 });
  }

  /** Bots of Pipecat know when they speak: they send their audio as it is to be played. */
  playbackStarted(): void {}

  playbackFinished(): void {}

  async close(): Promise<void> {
    this.#dispatch({ type: 'closed' });
    this.#cancelRetry();
    this.#speech?.cut();
    await this.#socket?.close();
  }

  #dispatch(event: LinkEvent): void {
    const { state, effects } = advanceLink(this.#state, event, this.#parts.clock.elapsed());
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: LinkEffect): void {
    const { clock, log } = this.#parts;
    switch (effect.type) {
      case 'dial':
        return this.#dial();
      case 'retry':
        this.#cancelRetry = clock.after(backoffMs(effect.attempt, BACKOFF), () =>
          this.#dispatch({ type: 'retry_due' }),
        );
        return;
      case 'announce':
        log.info({ isHere: effect.isHere }, 'the bot left or returned');
        return this.#listener?.present(effect.isHere);
      case 'refuse':
        return this.#ended.reject(new LeftRoom('room_refused', { detail: effect.detail }));
    }
  }

  #dial(): void {
    const { source, clock, log, resolve } = this.#parts;
    this.#socket = new BotSocket({
      source,
      clock,
      ...(resolve && { resolve }),
      onOpened: () => this.#opened(),
      onFrame: (frame) => this.#receive(frame),
      onEnded: (ending) => {
        log.info({ ...ending }, 'connection to the bot ended');
        // Plays the speech that arrived.
        this.#speech?.end();
        this.#dispatch({ type: 'ended', ending });
      },
    });
  }

  #opened(): void {
    this.#parts.log.info('connected to the bot');
    const data = clientReady('troupe', SOFTWARE_VERSION);
    this.#socket?.send({ type: 'message', data });
    this.#dispatch({ type: 'opened' });
  }

  #receive(frame: PipecatFrame): void {
    this.#dispatch({ type: 'heard' });
    switch (frame.type) {
      case 'audio':
        return this.#speech?.hear(frame);
      case 'interruption':
        this.#speech?.cut();
        return this.#listener?.clear();
      case 'message':
        // Sent behind the last audio of the utterance.
        if (rtviTypeOf(frame.data) === 'bot-stopped-speaking') this.#speech?.end();
        return;
      case 'text':
      case 'transcription':
    }
  }
}

import type { LookupFunction } from 'node:net';
import { AddressRefused, createOutgoing, type Resolve } from '#shared/network/address-policy.ts';
import type { Clock } from '#shared/clock.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { SpeechSource } from '#protocol/worker/gateway-messages.ts';
import { ClientRates } from '#protocol/botroom/client-rates.ts';
import { MAX_RECORD_BYTES } from '#protocol/botroom/records.ts';
import { readFrame, writeFrame, type PipecatFrame } from '#protocol/pipecat/frames.ts';
import { CONNECT_MS } from '../../../runtime/leave-room.ts';
import {
  dialMediaSocket,
  type MediaSocket,
  type SocketEnd,
} from '../../../runtime/media-socket.ts';
import {
  answerOf,
  codeOf,
  failureOf,
  isTlsFailure,
  targetOf,
  textOf,
  type Target,
} from '../connection-failure.ts';
import { pinnedTo } from '../pinned-lookup.ts';
import type { BotEnding } from './link-state.ts';

/** A bot that answers no ping for this long is gone. */
const PING_EVERY_MS = 10_000;
const CLOSE_MS = 1_000;
/** Ten seconds of the visitor's voice that the bot has not read. */
const MAX_UNREAD_BYTES = 10 * 16_000 * 2;
const MAX_REASON = 100;

/** Close codes. */
const NORMAL = 1000;
const NO_STATUS = 1005;
const UNSUPPORTED_DATA = 1003;
const POLICY_VIOLATION = 1008;
const FIRST_OWN_CODE = 4000;

export type BotSocketParts = {
  source: Pick<SpeechSource, 'url' | 'token' | 'networks'>;
  clock: Clock;
  resolve?: Resolve;
  onOpened: () => void;
  onFrame: (frame: PipecatFrame) => void;
  /** Once, unless closed by `close`. */
  onEnded: (ending: BotEnding) => void;
};

/**
 * One connection to a bot, from connecting on. Goes to an address that was checked, and follows no
 * redirect: it would take the token elsewhere. Owns its socket and timers.
 */
export class BotSocket {
  readonly #parts: BotSocketParts;
  readonly #target: Target;
  readonly #rates: ClientRates;
  #socket: MediaSocket | null = null;
  readonly #disconnection = Promise.withResolvers<void>();
  #isOver = false;
  #isAlive = true;
  #stopTimer: () => void;

  constructor(parts: BotSocketParts) {
    const { source, clock } = parts;
    this.#parts = parts;
    this.#target = targetOf(source.url);
    this.#rates = new ClientRates(clock);
    this.#stopTimer = clock.after(CONNECT_MS, () => this.#giveUp());
    this.#connect().catch((error: unknown) => this.#fail(error));
  }

  /** Lost while the connection is not open, and while the bot does not read. */
  send(frame: PipecatFrame): void {
    const socket = this.#socket;
    if (socket && socket.unsentBytes <= MAX_UNREAD_BYTES) socket.send(writeFrame(frame));
  }

  async close(): Promise<void> {
    this.#settle();
    const socket = this.#socket;
    if (!socket) return;
    const cancel = this.#parts.clock.after(CLOSE_MS, () => socket.terminate());
    socket.close(NORMAL);
    await this.#disconnection.promise;
    cancel();
  }

  async #connect(): Promise<void> {
    const { url, token } = this.#parts.source;
    const lookup = await this.#lookup();
    if (this.#isOver) return;
    this.#socket = dialMediaSocket(
      {
        url: new URL(url),
        headers: {
          'user-agent': `troupe/${SOFTWARE_VERSION}`,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        maxMessageBytes: MAX_RECORD_BYTES,
        ...(lookup && { lookup }),
      },
      {
        opened: () => this.#opened(),
        received: (message, isBinary) => this.#receive(message, isBinary),
        ponged: () => {
          this.#isAlive = true;
        },
        ended: (end) => this.#ended(end),
      },
    );
  }

  async #lookup(): Promise<LookupFunction | null> {
    const { source, resolve } = this.#parts;
    // A bot of the operator's.
    if (source.networks === undefined) return null;
    const policy = createOutgoing(source.networks, resolve);
    const hasTls = new URL(source.url).protocol === 'wss:';
    return pinnedTo(await policy.addressesOf(this.#target.host, hasTls));
  }

  #opened(): void {
    if (this.#isOver) return;
    this.#stopTimer();
    this.#stopTimer = this.#parts.clock.every(PING_EVERY_MS, () => this.#ping());
    this.#parts.onOpened();
  }

  #ping(): void {
    if (!this.#isAlive) return this.#giveUp();
    this.#isAlive = false;
    this.#socket?.ping();
  }

  #receive(message: Uint8Array, isBinary: boolean): void {
    if (this.#isOver) return;
    this.#isAlive = true;
    if (!this.#rates.take(1, message.length)) {
      return this.#refuse(POLICY_VIOLATION, 'sends too much');
    }
    let frame: PipecatFrame | null;
    try {
      if (!isBinary) throw new Error('a text');
      frame = readFrame(message);
    } catch {
      return this.#refuse(UNSUPPORTED_DATA, 'does not send frames of Pipecat');
    }
    if (frame) this.#parts.onFrame(frame);
  }

  #refuse(code: number, problem: string): void {
    this.#socket?.close(code);
    this.#end('refused', `${textOf(this.#target)} ${problem}`);
  }

  #giveUp(): void {
    this.#end('broken', `no answer from ${textOf(this.#target)}`);
    this.#socket?.terminate();
  }

  #ended({ code, reason, status, error }: SocketEnd): void {
    this.#disconnection.resolve();
    if (status !== undefined) this.#answered(status);
    else if (error) this.#fail(error);
    else this.#closed(code, reason);
  }

  #answered(status: number): void {
    // A server that is starting or busy, or the proxy before it.
    const mayReturn = status >= 500 || status === 429;
    this.#end(mayReturn ? 'broken' : 'refused', answerOf(status, this.#target));
  }

  #fail(error: unknown): void {
    if (isProtocolError(error)) {
      return this.#end('refused', `${textOf(this.#target)} breaks the WebSocket protocol`);
    }
    const isRefused = error instanceof AddressRefused || isTlsFailure(error);
    this.#end(isRefused ? 'refused' : 'broken', failureOf(error, this.#target));
  }

  #closed(code: number, reason: string): void {
    const detail = `${textOf(this.#target)} closed the connection: ${code} ${printable(reason)}`;
    if (code === NORMAL || code === NO_STATUS) return this.#end('hung_up', detail.trim());
    const isRefused = code === POLICY_VIOLATION || code >= FIRST_OWN_CODE;
    this.#end(isRefused ? 'refused' : 'broken', detail.trim());
  }

  #end(type: BotEnding['type'], detail: string): void {
    if (this.#isOver) return;
    this.#settle();
    this.#parts.onEnded({ type, detail });
  }

  #settle(): void {
    this.#isOver = true;
    this.#stopTimer();
  }
}

/** An answer that is no HTTP or no handshake, or a message that is too long. */
const isProtocolError = (error: unknown): boolean =>
  !(error instanceof AddressRefused) && /^(?:HPE_|WS_ERR_|$)/.test(codeOf(error));

/** A bot's text, for its owner. */
const printable = (text: string): string =>
  text.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ').slice(0, MAX_REASON);

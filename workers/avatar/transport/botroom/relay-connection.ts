import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import {
  MAX_RECORD_BYTES,
  readRecord,
  RecordError,
  writeRecord,
  type MediaRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import type { DialMediaSocket, MediaSocket, SocketEnd } from '../../../runtime/media-socket.ts';
import { isExpired } from '../../../runtime/room-token.ts';
import { failureOf, targetOf } from '../connection-failure.ts';
import { LeftRoom } from '../transport.ts';
import { advanceRelay, type RelayEffect, type RelayEvent, type RelayState } from './relay-state.ts';

/** With more than this unsent, the relay counts as lost. Ten seconds of sound are half of it. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;

export type RelayAddress = {
  /** The control plane's: http(s) or ws(s). */
  controlUrl: string;
  /** The relay's path there. */
  path: string;
  token: string;
  epoch: number;
};

type RelayParts = {
  address: RelayAddress;
  dial: DialMediaSocket;
  clock: Clock;
  log: Log;
  onRecord: (record: MediaRecord) => void;
  /** A new connection: the relay may know nothing of what was sent before. */
  onOpen?: () => void;
  /** 0..1. */
  random?: () => number;
};

/**
 * A worker's connection to the relay of a botroom. Connects again when it is lost; what is sent
 * meanwhile is dropped. Owns its socket and timer.
 */
export class RelayConnection {
  readonly #parts: RelayParts;
  readonly #url: URL;
  readonly #joined = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<EndReason>();
  #state: RelayState = { type: 'idle' };
  #socket: MediaSocket | null = null;
  #lastEnd: SocketEnd | null = null;
  #cancelTimer = () => {};

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#url = urlOf(parts.address);
    this.#joined.promise.catch(() => {});
    this.#ended.promise.catch(() => {});
  }

  /** Resolves when the relay ends the session. Rejects with `LeftRoom` to say why. */
  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  get isOpen(): boolean {
    return this.#state.type === 'open';
  }

  get unsentBytes(): number {
    return this.isOpen ? (this.#socket?.unsentBytes ?? 0) : 0;
  }

  /** Resolves when the relay lets this worker in, else rejects with `LeftRoom`. */
  open(): Promise<void> {
    this.#dispatch({ type: 'opened', at: this.#now });
    return this.#joined.promise;
  }

  /** Without a connection the record is dropped. */
  send(type: RecordName, header?: Record<string, unknown>, blob?: Uint8Array): void {
    if (!this.isOpen) return;
    this.#socket!.send(writeRecord(type, header, blob));
    if (this.unsentBytes <= MAX_UNSENT_BYTES) return;
    this.#parts.log.warn('the relay stopped reading');
    this.#abandon();
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = null;
    const { type } = this.#state;
    this.#dispatch({ type: 'closed' });
    this.#joined.reject(new LeftRoom('room_closed'));
    if (type === 'open') socket?.close(1000);
    else socket?.terminate();
  }

  get #now(): number {
    return this.#parts.clock.elapsed();
  }

  #dispatch(event: RelayEvent): void {
    const random = this.#parts.random ?? Math.random;
    const { state, effects } = advanceRelay(this.#state, event, random);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
  }

  #perform(effect: RelayEffect): void {
    const { clock, log, onOpen } = this.#parts;
    switch (effect.type) {
      case 'connect':
        return this.#connect();
      case 'abandon':
        return this.#drop();
      case 'start_timer':
        this.#cancelTimer();
        this.#cancelTimer = clock.after(effect.ms, () =>
          this.#dispatch({ type: 'timer', at: this.#now }),
        );
        return;
      case 'stop_timer':
        return this.#cancelTimer();
      case 'report_open':
        if (!effect.isFirst) log.info('connected to the relay again');
        this.#joined.resolve();
        return onOpen?.();
      case 'report_lost':
        return log.warn({ code: this.#lastEnd?.code }, 'connection to the relay lost');
      case 'report_over':
        return this.#leave(effect);
    }
  }

  #connect(): void {
    const { address, dial, log } = this.#parts;
    const socket: MediaSocket = dial(
      {
        url: this.#url,
        headers: { authorization: `Bearer ${address.token}` },
        maxMessageBytes: MAX_RECORD_BYTES,
      },
      {
        opened: () => {},
        received: (message) => this.#socket === socket && this.#receive(message),
        ended: (end) => {
          log.debug({ code: end.code, status: end.status, err: end.error }, 'relay socket ended');
          if (this.#socket === socket) this.#end(end);
        },
      },
    );
    this.#socket = socket;
  }

  #receive(message: Uint8Array): void {
    const record = this.#read(message);
    if (!record) return;
    // Refusals close the socket.
    if (record.type === 'error') return this.#parts.log.info(record.header, 'relay error');
    this.#dispatch({ type: 'admitted' });
    this.#parts.onRecord(record);
  }

  #read(message: Uint8Array): MediaRecord | null {
    try {
      return readRecord(message);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.#parts.log.warn({ err: error }, 'invalid record of the relay');
      return null;
    }
  }

  #abandon(): void {
    this.#drop();
    this.#end({ code: 1006, reason: '' });
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.terminate();
  }

  #end(end: SocketEnd): void {
    this.#socket = null;
    this.#lastEnd = end;
    this.#dispatch({ type: 'socket_ended', at: this.#now, ...end });
  }

  #leave({ reason, wasOpen, said }: Extract<RelayEffect, { type: 'report_over' }>): void {
    const { address, clock } = this.#parts;
    const isOld = reason === 'room_refused' && isExpired(address.token, clock.now());
    const { status, error } = this.#lastEnd ?? {};
    const unsaid = status
      ? `The relay answered ${status}.`
      : failureOf(error, targetOf(this.#url.href));
    const detail = said || unsaid;
    const leftRoom = new LeftRoom(isOld ? 'token_expired' : reason, { detail });
    if (!wasOpen) this.#joined.reject(leftRoom);
    // The session's own reason needs no explanation.
    else if (said) this.#ended.resolve(leftRoom.reason);
    else this.#ended.reject(leftRoom);
  }
}

function urlOf({ controlUrl, path, epoch }: RelayAddress): URL {
  const url = new URL(path, controlUrl);
  url.protocol = url.protocol.replace(/^http/, 'ws');
  url.searchParams.set('epoch', String(epoch));
  return url;
}

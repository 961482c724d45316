import type { PcmHeader, VideoHeader } from '#protocol/botroom/headers.ts';
import {
  readRecord,
  writeRecord,
  type MediaRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import type { Clock } from '#shared/clock.ts';
import type {
  DialMediaSocket,
  MediaSocket,
  MediaSocketEvents,
  MediaSocketTarget,
  SocketEnd,
} from '../../../workers/runtime/media-socket.ts';

type Received = MediaRecord & { atMs: number };

/** One socket of the worker, seen from the relay. */
class RelaySocket implements MediaSocket {
  readonly target: MediaSocketTarget;
  readonly #events: MediaSocketEvents;
  readonly #relay: MemoryRelay;
  unsentBytes = 0;
  closedWith: number | 'terminated' | null = null;

  constructor(relay: MemoryRelay, target: MediaSocketTarget, events: MediaSocketEvents) {
    this.#relay = relay;
    this.target = target;
    this.#events = events;
  }

  send(message: Uint8Array | string): void {
    this.#relay.take(readRecord(message as Uint8Array));
  }

  ping(): void {}

  close(code: number): void {
    this.closedWith = code;
    this.#events.ended({ code, reason: '' });
  }

  terminate(): void {
    this.closedWith = 'terminated';
    this.#events.ended({ code: 1006, reason: '' });
  }

  open(): void {
    this.#events.opened();
  }

  say(type: RecordName, header?: Record<string, unknown>, blob?: Uint8Array): void {
    this.#events.received(writeRecord(type, header, blob), true);
  }

  /** The relay, or the network, ends the connection. */
  end(end: Partial<SocketEnd> = {}): void {
    this.#events.ended({ code: 1006, reason: '', ...end });
  }
}

/** A botroom's relay in memory, with its client. Keeps what a worker sends, with the times. */
export class MemoryRelay {
  readonly #clock: Clock;
  readonly sockets: RelaySocket[] = [];
  readonly received: Received[] = [];
  isClientHere = true;
  /** Treatment of new connections. By default they are admitted. */
  onDial: (socket: RelaySocket) => void = (socket) => this.admit(socket);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly dial: DialMediaSocket = (target, events) => {
    const socket = new RelaySocket(this, target, events);
    this.sockets.push(socket);
    void Promise.resolve().then(() => this.onDial(socket));
    return socket;
  };

  admit(socket: RelaySocket): void {
    socket.open();
    socket.say('presence', { client: this.isClientHere });
  }

  take(record: MediaRecord): void {
    this.received.push({ ...record, atMs: this.#clock.elapsed() });
  }

  /** A record of the client, or of the relay. */
  say(type: RecordName, header?: Record<string, unknown>, blob?: Uint8Array): void {
    this.socket.say(type, header, blob);
  }

  /** The newest. */
  get socket(): RelaySocket {
    return this.sockets.at(-1)!;
  }

  of(type: RecordName): Received[] {
    return this.received.filter((record) => record.type === type);
  }

  get pictures(): (VideoHeader & { jpeg: Uint8Array; atMs: number })[] {
    return this.of('video').map(({ header, blob, atMs }) => ({
      ...(header as VideoHeader),
      jpeg: blob,
      atMs,
    }));
  }

  /** Sound by the time when it arrived. */
  get sound(): { samples: Int16Array; atMs: number }[] {
    return this.of('audio').map(({ header, blob, atMs }) => {
      const { sample_rate, num_channels } = header as PcmHeader;
      if (sample_rate !== 48_000 || num_channels !== 1) throw new Error('not 48 kHz mono');
      // Copied: samples must be aligned.
      return { samples: new Int16Array(new Uint8Array(blob).buffer), atMs };
    });
  }

  /** All sound since `fromMs` in one piece. */
  soundSince(fromMs = 0): number[] {
    return this.sound.filter(({ atMs }) => atMs >= fromMs).flatMap(({ samples }) => [...samples]);
  }
}

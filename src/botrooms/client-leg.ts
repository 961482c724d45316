import type { WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import {
  checkClientRecord,
  type ClientRecordName,
  type StatisticsHeader,
} from '#protocol/botroom/headers.ts';
import { OPTIONAL_RECORDS, type OptionalRecord } from '#protocol/botroom/hello.ts';
import { STATISTICS_EVERY_MS } from '#protocol/botroom/limits.ts';
import { plain, type ClientCodec, type RelayedRecord } from './client-codec.ts';
import { ClientRates } from '#protocol/botroom/client-rates.ts';
import { Peer } from './peer.ts';
import type { Traffic } from './traffic.ts';

export type ClientRecord = RelayedRecord & { type: Exclude<ClientRecordName, 'hello'> };

type ClientLegParts = {
  socket: WebSocket;
  codec: ClientCodec;
  clock: Clock;
  log: Log;
  traffic: Traffic;
  onRecord: (record: ClientRecord) => void;
  onHello: () => void;
  onLeft: (leg: ClientLeg) => void;
};

/** The client's socket: limits what it sends, and sends it only what it understands. */
export class ClientLeg {
  readonly #parts: ClientLegParts;
  readonly #peer: Peer;
  readonly #rates: ClientRates;
  readonly #wants: Set<OptionalRecord>;
  #stopStatistics: (() => void) | null = null;
  #stopCodec: (() => void) | undefined;
  #isReady = false;
  #isPlain: boolean;

  constructor(parts: ClientLegParts) {
    const { codec, clock, traffic } = parts;
    this.#parts = parts;
    this.#rates = new ClientRates(clock);
    this.#wants = new Set(codec.wants);
    this.#isPlain = codec.wants.length === 0;
    this.#peer = new Peer({
      ...parts,
      write: (record) => codec.write(record),
      read: (message, isBinary) => this.#read(message, isBinary),
      listener: {
        onSent: () => {},
        onBytesSent: (bytes) => (traffic.bytesToClients += bytes),
        onPictureDropped: () => (traffic.picturesDropped += 1),
        onLeft: () => {
          this.#stopStatistics?.();
          this.#stopCodec?.();
          parts.onLeft(this);
        },
      },
    });
    this.#stopCodec = codec.open?.({
      clock,
      send: (message) => this.#peer.say(message),
      receive: (record) => this.#receive(record),
    });
    this.#reportStatistics();
  }

  /** The client knows none of our additions to the protocol. */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** Bytes in memory for this client. */
  get unsentBytes(): number {
    return this.#peer.queue.bytes;
  }

  send(record: RelayedRecord): void {
    if (isOptional(record.type) && !this.#wants.has(record.type)) return;
    if (record.type === 'video') this.sendReady();
    this.#push(record);
  }

  /** The avatar is in the room. Sent once. */
  sendReady(): void {
    if (this.#isReady) return;
    this.#isReady = true;
    this.#push(plain('ready'));
  }

  /** The client interrupted: its queued sound is obsolete. */
  dropSound(): void {
    this.#peer.queue.drop(['audio']);
  }

  setPaused(isPaused: boolean): void {
    if (!isPaused && this.#peer.isPaused) this.#rates.catchUp();
    this.#peer.setPaused(isPaused);
  }

  close(name: BotroomCloseName, message?: string): void {
    this.#peer.close(name, message);
  }

  #push(record: RelayedRecord): void {
    this.#peer.queue.push(record);
    if (this.#peer.queue.isFull) this.close('too_slow');
  }

  #read(message: Buffer, isBinary: boolean): void {
    const { codec, traffic } = this.#parts;
    traffic.bytesFromClients += message.length;
    // One record a message, so that messages without records count too.
    if (!this.#rates.take(1, message.length)) return this.close('too_much');
    for (const record of codec.read(message, isBinary)) this.#receive(record);
  }

  #receive(record: RelayedRecord): void {
    checkClientRecord(record);
    if (record.type === 'hello') this.#hello(record.header);
    else this.#parts.onRecord(record as ClientRecord);
  }

  #hello({ wants }: Record<string, unknown>): void {
    for (const name of wants as string[]) if (isOptional(name)) this.#wants.add(name);
    this.#isPlain = false;
    this.#parts.onHello();
    this.#reportStatistics();
  }

  #reportStatistics(): void {
    if (!this.#wants.has('statistics')) return;
    this.#stopStatistics ??= this.#parts.clock.every(STATISTICS_EVERY_MS, () => {
      const { picturesSent, picturesDropped } = this.#peer.queue;
      const header = { pictures_sent: picturesSent, pictures_dropped: picturesDropped };
      this.send(plain('statistics', header satisfies StatisticsHeader));
    });
  }
}

const isOptional = (name: string): name is OptionalRecord =>
  (OPTIONAL_RECORDS as readonly string[]).includes(name);

import type { WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import type { PresenceHeader } from '#protocol/botroom/headers.ts';
import type { ClientCodec, RelayedRecord } from './client-codec.ts';
import { ClientLeg, type ClientRecord } from './client-leg.ts';
import { HeldSpeech } from './held-speech.ts';
import type { Traffic } from './traffic.ts';
import { WorkerLeg, type WorkerRecord } from './worker-leg.ts';
import {
  allOf,
  changeSeats,
  newestOf,
  showingOf,
  type SeatEvent,
  type WorkerSeats,
} from './worker-seats.ts';

/** A lost worker is replaced sooner, or its session ends. */
const CLIENT_ALONE_MS = 60_000;
const EMPTY_MS = 10 * 60_000;

type BotroomParts = {
  id: string;
  clock: Clock;
  log: Log;
  traffic: Traffic;
  /** No worker came. Called once. */
  onOver: (room: Botroom, message: string) => void;
};

/** One session's room: a seat for the client, and one for the worker that performs. */
export class Botroom {
  readonly id: string;
  readonly #parts: BotroomParts;
  readonly #held = new HeldSpeech();
  #client: ClientLeg | null = null;
  #workers: WorkerSeats<WorkerLeg> = { type: 'empty', highestEpoch: 0 };
  /** For a client that comes later: an unchanged picture is sent only once a second. */
  #lastPicture: RelayedRecord | null = null;
  /** The avatar is shown elsewhere, so its client is ready without a picture. */
  #isShownElsewhere = false;
  #stopWaiting: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: BotroomParts) {
    this.id = parts.id;
    this.#parts = parts;
    this.#awaitPeers();
  }

  /** How many are connected. */
  get peers(): { clients: number; workers: number } {
    return { clients: this.#client ? 1 : 0, workers: allOf(this.#workers).length };
  }

  /** Bytes in memory for peers that read slowly. */
  get unsentBytes(): number {
    const legs = [...(this.#client ? [this.#client] : []), ...allOf(this.#workers)];
    return legs.reduce((sum, { unsentBytes }) => sum + unsentBytes, 0);
  }

  seatClient(socket: WebSocket, codec: ClientCodec): void {
    const { clock, log, traffic } = this.#parts;
    const former = this.#client;
    const client = new ClientLeg({
      socket,
      codec,
      clock,
      log,
      traffic,
      onRecord: (record) => this.#fromClient(record),
      onHello: () => this.#tellPresence(),
      onLeft: (leg) => this.#clientLeft(leg),
    });
    this.#client = client;
    former?.close('replaced');
    this.#awaitPeers();
    if (former?.isPlain !== client.isPlain) this.#tellPresence();
    this.#balance();
    if (this.#lastPicture) client.send(this.#lastPicture);
    else if (this.#isShownElsewhere) client.sendReady();
  }

  seatWorker(socket: WebSocket, epoch: number): void {
    const { clock, log } = this.#parts;
    const leg = new WorkerLeg({
      socket,
      epoch,
      clock,
      log,
      onRecord: (leg, record) => this.#fromWorker(leg, record),
      onSent: () => this.#balance(),
      onLeft: (leg) => this.#change({ type: 'left', leg }),
    });
    this.#change({ type: 'joined', leg });
  }

  close(name: BotroomCloseName, message?: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopWaiting?.();
    this.#client?.close(name, message);
    for (const leg of allOf(this.#workers)) leg.close(name, message);
  }

  #fromClient(record: ClientRecord): void {
    switch (record.type) {
      case 'interrupt':
        this.#client?.dropSound();
        this.#toAll(record);
        break;
      case 'close':
        this.#toAll(record);
        this.#client?.close('ended');
        break;
      case 'audio':
      case 'flush':
      case 'listen':
      case 'caption':
        (this.#hearer ?? this.#held).send(record);
    }
    this.#balance();
  }

  /** Also to a worker that is being replaced: it still performs. */
  #toAll(record: ClientRecord): void {
    for (const leg of allOf(this.#workers)) leg.send(record);
    if (!this.#hearer) this.#held.send(record);
  }

  /** The worker that takes the client's speech. Null: it is held for the next one. */
  get #hearer(): WorkerLeg | null {
    const newest = newestOf(this.#workers);
    return newest?.isReleased ? null : newest;
  }

  #fromWorker(leg: WorkerLeg, record: WorkerRecord): void {
    if (record.type === 'released') {
      leg.isReleased = true;
      return this.#balance();
    }
    if (record.type === 'video' || record.type === 'ready') this.#change({ type: 'shown', leg });
    if (leg !== showingOf(this.#workers)) return;
    switch (record.type) {
      case 'ready':
        this.#isShownElsewhere = true;
        return this.#client?.sendReady();
      case 'video':
        this.#lastPicture = record;
        return this.#client?.send(record);
      case 'audio':
      case 'playback':
      case 'caption':
        return this.#client?.send(record);
    }
  }

  #change(event: SeatEvent<WorkerLeg>): void {
    const previous = newestOf(this.#workers);
    const { seats, replaced } = changeSeats(this.#workers, event);
    this.#workers = seats;
    for (const leg of replaced) leg.close('replaced');
    const newest = newestOf(seats);
    if (newest === previous) return;
    this.#awaitPeers();
    newest?.sendPresence(this.#presence);
    const hearer = this.#hearer;
    if (hearer) for (const record of this.#held.take()) hearer.send(record);
    this.#balance();
  }

  #clientLeft(leg: ClientLeg): void {
    if (leg !== this.#client) return;
    this.#client = null;
    this.#tellPresence();
    this.#awaitPeers();
  }

  get #presence(): PresenceHeader {
    return this.#client ? { client: true, plain: this.#client.isPlain } : { client: false };
  }

  #tellPresence(): void {
    for (const leg of allOf(this.#workers)) leg.sendPresence(this.#presence);
  }

  /** The client waits while its records cannot be taken: they are neither lost nor piled up. */
  #balance(): void {
    const { isFull } = this.#hearer ?? this.#held;
    this.#client?.setPaused(isFull);
  }

  /** A room whose worker does not come is over. */
  #awaitPeers(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    if (this.#isClosed || this.#workers.type !== 'empty') return;
    const ms = this.#client ? CLIENT_ALONE_MS : EMPTY_MS;
    this.#stopWaiting = this.#parts.clock.after(ms, () =>
      this.#parts.onOver(this, 'No avatar came.'),
    );
  }
}

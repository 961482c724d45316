import type { WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import {
  checkWorkerRecord,
  type PresenceHeader,
  type WorkerRecordName,
} from '#protocol/botroom/headers.ts';
import { plain, recordCodec, type RelayedRecord } from './client-codec.ts';
import { Peer } from './peer.ts';

export type WorkerRecord = RelayedRecord & { type: WorkerRecordName };

type WorkerLegParts = {
  socket: WebSocket;
  epoch: number;
  clock: Clock;
  log: Log;
  onRecord: (leg: WorkerLeg, record: WorkerRecord) => void;
  onSent: () => void;
  onLeft: (leg: WorkerLeg) => void;
};

/** The socket of a worker that performs the session, or takes it up. */
export class WorkerLeg {
  readonly epoch: number;
  /** Further speech is its successor's. */
  isReleased = false;
  readonly #peer: Peer;

  constructor({ epoch, onRecord, onSent, onLeft, ...shared }: WorkerLegParts) {
    this.epoch = epoch;
    this.#peer = new Peer({
      ...shared,
      write: (record) => recordCodec.write(record),
      read: (message, isBinary) => {
        for (const record of recordCodec.read(message, isBinary)) {
          checkWorkerRecord(record);
          onRecord(this, record);
        }
      },
      listener: { onSent, onLeft: () => onLeft(this) },
    });
  }

  /** The worker reads too slowly: send it no more. */
  get isFull(): boolean {
    return this.#peer.queue.isFull;
  }

  /** Bytes in memory for this worker. */
  get unsentBytes(): number {
    return this.#peer.queue.bytes;
  }

  send(record: RelayedRecord): void {
    if (record.type === 'interrupt') this.#peer.queue.drop(OBSOLETE);
    this.#peer.queue.push(record);
  }

  sendPresence(presence: PresenceHeader): void {
    this.send(plain('presence', presence));
  }

  close(name: BotroomCloseName, message?: string): void {
    this.#peer.close(name, message);
  }
}

/** Records that an interruption overtakes. */
const OBSOLETE = ['audio', 'flush', 'caption', 'listen', 'interrupt'] as const;

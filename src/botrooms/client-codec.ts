import type { Clock } from '#shared/clock.ts';
import {
  RecordError,
  readRecord,
  writeRecord,
  type MediaRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import type { OptionalRecord } from '#protocol/botroom/hello.ts';

/** A record with its bytes, if it came from a socket. */
export type RelayedRecord = MediaRecord & { message?: Uint8Array };

/** A record of the control plane's own. */
export function plain(type: RecordName, header: Record<string, unknown> = {}): RelayedRecord {
  return { type, header, blob: NO_BLOB, message: writeRecord(type, header) };
}

const NO_BLOB = new Uint8Array();
const HEADER_ESTIMATE = 64;

/** Bytes in memory. */
export const sizeOf = ({ message, blob }: RelayedRecord): number =>
  message?.length ?? blob.length + HEADER_ESTIMATE;

/** Lets a codec send and receive without a message of the client or the room. */
export type CodecPeer = {
  clock: Clock;
  /** To the client, before what waits for it. */
  send(message: Uint8Array | string): void;
  /** As if the client had sent it. */
  receive(record: RelayedRecord): void;
};

/**
 * Translates between the protocol of one client's socket and the room's records. One per socket; it
 * may keep state. The room counts, limits and checks the records that `read` returns.
 */
export interface ClientCodec {
  /** Optional records that the client gets without a `hello`. */
  readonly wants: readonly OptionalRecord[];
  /** For protocols with messages unasked. Called once, first. The result stops it. */
  open?(peer: CodecPeer): () => void;
  /** Records in one message of the client. Throws a RecordError: the socket closes with 4400. */
  read(message: Buffer, isBinary: boolean): RelayedRecord[];
  /**
   * Messages for one record to the client, in order: `ready` first, `error` before the socket
   * closes. Called when the record is sent, so not for pictures that were dropped.
   */
  write(record: RelayedRecord): (Uint8Array | string)[];
}

/** Botroom records as they are. */
export const recordCodec: ClientCodec = {
  wants: [],
  read(message, isBinary) {
    if (!isBinary) throw new RecordError('Records are binary messages.');
    return [{ ...readRecord(message), message }];
  },
  write: ({ type, header, blob, message }) => [message ?? writeRecord(type, header, blob)],
};

import {
  BOTROOM_PROTOCOL,
  readRecord,
  writeRecord,
  type MediaRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import { pause } from '../../call/connection/pause.ts';
import { BotroomGone } from '../notices.ts';

/** The session goes on for this long without its client. */
const RETURN_WITHIN_MS = 10_000;
const RETRY_EVERY_MS = 500;

type SocketEvents = {
  onRecord(record: MediaRecord): void;
  /** The connection broke; the socket connects again. */
  onDropped(): void;
  onReturned(): void;
  /** The room closed the connection, or it stayed broken. */
  onLost(error: BotroomGone): void;
};

/** The client's socket of a botroom. Connects again when the connection breaks. */
export class BotroomSocket {
  readonly #events: SocketEvents;
  #socket: WebSocket | null = null;
  readonly #closed = new AbortController();
  /** Text of the `error` record that comes before the end. */
  #reason = '';

  constructor(events: SocketEvents) {
    this.#events = events;
  }

  /** Browsers set no headers on sockets, so the token is offered as a subprotocol. */
  open(url: string, token: string): Promise<void> {
    const socket = new WebSocket(url, [BOTROOM_PROTOCOL, token]);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const opened = Promise.withResolvers<void>();
    let isOpen = false;
    socket.addEventListener('open', () => {
      isOpen = true;
      this.#reason = '';
      opened.resolve();
    });
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) =>
      this.#read(new Uint8Array(data)),
    );
    socket.addEventListener('close', ({ code, reason }) => {
      const error = new BotroomGone(this.#reason || reason);
      if (!isOpen) opened.reject(error);
      else if (this.#closed.signal.aborted) return;
      else if (isFinal(code)) this.#events.onLost(error);
      else void this.#reopen(url, token, error);
    });
    return opened.promise;
  }

  /** Drops the record while there is no connection. */
  send(type: RecordName, header?: Record<string, unknown>, blob?: Uint8Array): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(writeRecord(type, header, blob));
  }

  close(): void {
    this.#closed.abort();
    this.#socket?.close();
  }

  async #reopen(url: string, token: string, error: BotroomGone): Promise<void> {
    this.#events.onDropped();
    const giveUpAt = performance.now() + RETURN_WITHIN_MS;
    while (performance.now() < giveUpAt) {
      await pause(RETRY_EVERY_MS, this.#closed.signal);
      if (this.#closed.signal.aborted) return;
      const isOpen = await this.open(url, token).then(
        () => true,
        () => false,
      );
      if (isOpen) return this.#events.onReturned();
    }
    if (!this.#closed.signal.aborted) this.#events.onLost(error);
  }

  #read(message: Uint8Array): void {
    if (this.#closed.signal.aborted) return;
    const record = readRecord(message);
    if (record.type === 'error') this.#reason = String(record.header['message']);
    this.#events.onRecord(record);
  }
}

/** 1000 ends the session, and codes from 4000 are the room's refusals. */
const isFinal = (code: number): boolean => code === 1000 || code >= 4000;

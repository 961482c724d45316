import {
  BOTROOM_PROTOCOL,
  readRecord,
  writeRecord,
  type MediaRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import { BotroomGone } from '../notices.ts';

type SocketEvents = {
  onRecord(record: MediaRecord): void;
  /** The connection ended after it was open, not by `close`. */
  onLost(error: BotroomGone): void;
};

/** The client's socket of a botroom. */
export class BotroomSocket {
  readonly #events: SocketEvents;
  #socket: WebSocket | null = null;
  /** Text of the `error` record that comes before the end. */
  #reason = '';

  constructor(events: SocketEvents) {
    this.#events = events;
  }

  /** Browsers set no headers on sockets, so the token is offered as a subprotocol. */
  async open(url: string, token: string): Promise<void> {
    const socket = new WebSocket(url, [BOTROOM_PROTOCOL, token]);
    socket.binaryType = 'arraybuffer';
    this.#socket = socket;
    const opened = Promise.withResolvers<void>();
    let isOpen = false;
    socket.addEventListener('open', () => {
      isOpen = true;
      opened.resolve();
    });
    socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer>) =>
      this.#read(new Uint8Array(data)),
    );
    socket.addEventListener('close', ({ reason }) => {
      const gone = new BotroomGone(this.#reason || reason);
      if (!isOpen) opened.reject(gone);
      else if (this.#socket) this.#events.onLost(gone);
    });
    await opened.promise;
  }

  send(type: RecordName, header?: Record<string, unknown>, blob?: Uint8Array): void {
    // The browser ignores what is sent on a socket that is closing.
    this.#socket?.send(writeRecord(type, header, blob));
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #read(message: Uint8Array): void {
    if (!this.#socket) return;
    const record = readRecord(message);
    if (record.type === 'error') this.#reason = String(record.header['message']);
    this.#events.onRecord(record);
  }
}

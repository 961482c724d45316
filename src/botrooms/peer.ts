import type { RawData, WebSocket } from 'ws';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { BOTROOM_CLOSE, isError, type BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import type { ErrorHeader } from '#protocol/botroom/headers.ts';
import { RecordError } from '#protocol/botroom/records.ts';
import { plain, type RelayedRecord } from './client-codec.ts';
import { SendQueue } from './send-queue.ts';

/** A peer whose machine died keeps its connection: two unanswered pings end it. */
const PING_EVERY_MS = 15_000;
const CLOSE_MS = 1_000;
/** Beyond the queue's window: messages that a codec sends unasked. */
const MAX_BUFFERED_BYTES = 2 * 1024 * 1024;
/** RFC 6455: a control frame has 125 bytes, and the code takes two. */
const MAX_REASON_BYTES = 123;

export type PeerParts = {
  socket: WebSocket;
  clock: Clock;
  log: Log;
  write: (record: RelayedRecord) => (Uint8Array | string)[];
  /** A RecordError closes the socket. */
  read: (message: Buffer, isBinary: boolean) => void;
  listener: PeerListener;
};

type PeerListener = {
  onSent: () => void;
  onBytesSent?: (bytes: number) => void;
  onPictureDropped?: () => void;
  /** Closing or closed. Called once. */
  onLeft: () => void;
};

/** One socket of a room. Owns it. */
export class Peer {
  readonly queue: SendQueue;
  readonly #parts: PeerParts;
  readonly #stopPinging: () => void;
  #isAlive = true;
  #isClosed = false;

  constructor(parts: PeerParts) {
    const { socket, listener, clock, log } = parts;
    this.#parts = parts;
    this.queue = new SendQueue({
      write: parts.write,
      send: (message, onSent) => {
        listener.onBytesSent?.(Buffer.byteLength(message));
        socket.send(message, onSent);
      },
      onSent: listener.onSent,
      onPictureDropped: () => listener.onPictureDropped?.(),
    });
    this.#stopPinging = clock.every(PING_EVERY_MS, () => this.#ping());
    socket.on('message', (data, isBinary) => this.#read(data, isBinary));
    socket.on('pong', () => (this.#isAlive = true));
    socket.on('error', (error) => log.warn({ err: error }, 'botroom socket failed'));
    socket.once('close', () => this.#leave());
  }

  get isPaused(): boolean {
    return this.#parts.socket.isPaused;
  }

  /** Sends a message before what waits. */
  say(message: Uint8Array | string): void {
    const { socket, listener } = this.#parts;
    if (this.#isClosed) return;
    listener.onBytesSent?.(Buffer.byteLength(message));
    socket.send(message);
    // These are in no queue that would bound them.
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) this.close('too_slow');
  }

  /** Stops reading, so that the peer has to wait. */
  setPaused(isPaused: boolean): void {
    const { socket } = this.#parts;
    if (isPaused === socket.isPaused || this.#isClosed) return;
    if (isPaused) socket.pause();
    else socket.resume();
  }

  /** Sends the reason, then closes; what waits is forgotten. */
  close(name: BotroomCloseName, message: string = BOTROOM_CLOSE[name].message): void {
    if (this.#isClosed) return;
    const { socket, clock, write } = this.#parts;
    this.setPaused(false);
    this.#leave();
    if (isError(name, message)) {
      const error = plain('error', { message } satisfies ErrorHeader);
      for (const part of write(error)) socket.send(part);
    }
    const cancel = clock.after(CLOSE_MS, () => socket.terminate());
    socket.once('close', cancel);
    socket.close(BOTROOM_CLOSE[name].code, shorten(message));
  }

  #read(data: RawData, isBinary: boolean): void {
    // Closing, with messages still in flight.
    if (this.#isClosed) return;
    this.#isAlive = true;
    try {
      // With the default `binaryType`, each message is one Buffer.
      this.#parts.read(data as Buffer, isBinary);
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      this.close('bad_record', error.message);
    }
  }

  #ping(): void {
    const { socket } = this.#parts;
    // Its pongs are not read.
    if (socket.isPaused) return;
    if (!this.#isAlive) return socket.terminate();
    this.#isAlive = false;
    socket.ping();
  }

  #leave(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopPinging();
    this.queue.close();
    this.#parts.listener.onLeft();
  }
}

const shorten = (text: string): string =>
  Buffer.from(text)
    .subarray(0, MAX_REASON_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');

import { once } from 'node:events';
import { WebSocket } from 'ws';
import {
  BOTROOM_PROTOCOL,
  readRecord,
  writeRecord,
  type MediaRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import { until } from '../until.ts';

/** A client or worker of a botroom that does what a test says. */
export class BotroomPeer {
  /** All records from the relay, in order. */
  readonly records: MediaRecord[] = [];
  readonly socket: WebSocket;
  /** Rejects with the status of a refused handshake. */
  readonly opened: Promise<unknown>;
  sentBytes = 0;
  readonly #counts = new Map<RecordName, number>();
  closed: { code: number; reason: string } | null = null;

  constructor(url: string, token: string | null, headers: Record<string, string> = {}) {
    this.socket = new WebSocket(
      url.replace(/^http/, 'ws'),
      token === null ? [BOTROOM_PROTOCOL] : [BOTROOM_PROTOCOL, token],
      { headers, perMessageDeflate: false },
    );
    this.opened = once(this.socket, 'open');
    // Refused handshakes reject `opened`.
    this.socket.on('error', () => {});
    this.socket.on('message', (data) => {
      const record = readRecord(data as Buffer);
      this.records.push(record);
      this.#counts.set(record.type, this.count(record.type) + 1);
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  send(type: RecordName, header?: Record<string, unknown>, blob?: Uint8Array): void {
    const message = writeRecord(type, header, blob);
    this.sentBytes += message.length;
    this.socket.send(message);
  }

  /** `ms` of 16 kHz mono PCM whose first byte is `mark`. */
  say(mark: number, ms = 40): void {
    this.send('audio', { sample_rate: 16_000, num_channels: 1 }, pcm(mark, ms));
  }

  show(mark: number, bytes = 100): void {
    const header = { width: 512, height: 512, encoding: 'jpeg' };
    this.send('video', header, Buffer.alloc(bytes, mark));
  }

  hello(...wants: string[]): void {
    this.send('hello', { version: 1, wants });
  }

  /** Types of the records heard, with the first byte of their blobs: `video 7`. */
  get story(): string[] {
    return this.records.map(({ type, blob }) => (blob.length > 0 ? `${type} ${blob[0]}` : type));
  }

  of(type: RecordName): MediaRecord[] {
    return this.records.filter((record) => record.type === type);
  }

  count(type: RecordName): number {
    return this.#counts.get(type) ?? 0;
  }

  async hears(...story: string[]): Promise<void> {
    await until(() => this.story.join() === story.join()).catch(() => {
      throw new Error(`heard ${this.story.join(', ')}; expected ${story.join(', ')}`);
    });
  }

  async closes(): Promise<{ code: number; reason: string }> {
    await until(() => this.closed);
    return this.closed!;
  }

  /** As when the process dies. */
  cut(): void {
    this.socket.terminate();
  }
}

export function pcm(mark: number, ms: number, sampleRate = 16_000): Uint8Array {
  return Buffer.alloc((ms / 1_000) * sampleRate * 2, mark);
}

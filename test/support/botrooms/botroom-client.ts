import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { VideoHeader } from '#protocol/botroom/headers.ts';
import {
  BOTROOM_PROTOCOL,
  readRecord,
  writeRecord,
  type MediaRecord,
  type RecordName,
} from '#protocol/botroom/records.ts';
import { joined } from '../sound/pcm.ts';
import { until } from '../until.ts';

const CHUNK_MS = 40;
/** The published client sends this much ahead of real time. */
const AHEAD_MS = 1_000;
const LOUD = 400;
const SILENCE_MS = 700;

type SoundPiece = { samples: Int16Array; atMs: number };

/**
 * A bot in a botroom: speaks at the pace of the published client, and keeps all that it receives
 * with the time of arrival.
 */
export class BotroomClient {
  readonly records: (MediaRecord & { atMs: number })[] = [];
  readonly sound: SoundPiece[] = [];
  readonly pictures: { jpeg: Uint8Array; mediaMs: number; atMs: number }[] = [];
  closed: { code: number; reason: string } | null = null;
  readonly #socket: WebSocket;

  constructor(url: string, token: string) {
    this.#socket = new WebSocket(url, [BOTROOM_PROTOCOL, token], { perMessageDeflate: false });
    this.#socket.on('error', () => {});
    this.#socket.on('message', (data) => this.#receive(readRecord(data as Buffer)));
    this.#socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  async ready(): Promise<void> {
    await until(() => this.records.some(({ type }) => type === 'ready'));
  }

  send(type: RecordName, header?: Record<string, unknown>, blob?: Uint8Array): void {
    this.#socket.send(writeRecord(type, header, blob));
  }

  /** Resolves when all of it is sent. Stops early when interrupted. */
  async speak(speech: Int16Array, sampleRate: number): Promise<void> {
    const header = { sample_rate: sampleRate, num_channels: 1 };
    const size = (sampleRate * CHUNK_MS) / 1000;
    const from = performance.now();
    for (let at = 0; at < speech.length; at += size) {
      const dueAt = from + (at / sampleRate) * 1000 - AHEAD_MS;
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      const chunk = speech.slice(at, at + size);
      this.send('audio', header, new Uint8Array(chunk.buffer));
    }
    this.send('flush');
  }

  /** Since `fromMs`, in one piece. */
  soundSince(fromMs = 0): Int16Array {
    const pieces = this.sound.filter(({ atMs }) => atMs >= fromMs);
    return joined(...pieces.map(({ samples }) => samples));
  }

  async untilLoud(fromMs = 0): Promise<void> {
    await until(() => this.sound.some((piece) => piece.atMs > fromMs && isLoud(piece)));
  }

  /** Resolves when nothing loud has arrived for a while. */
  async untilSilent(): Promise<void> {
    await until(() => performance.now() - this.lastLoudAt > SILENCE_MS);
  }

  /** When the first loud sound arrived. */
  get firstLoudAt(): number {
    return this.sound.find(isLoud)?.atMs ?? Infinity;
  }

  /** When the last loud sound arrived. */
  get lastLoudAt(): number {
    return this.sound.findLast(isLoud)?.atMs ?? -Infinity;
  }

  /** First pictures of workers that took over: their media time begins again. */
  get takeovers(): number[] {
    return this.pictures
      .filter(({ mediaMs }, i) => i > 0 && mediaMs < this.pictures[i - 1]!.mediaMs)
      .map(({ atMs }) => atMs);
  }

  /** Longest time since `fromMs` without one of `arrivals`; by default no sound or picture. */
  longestGapMs(
    fromMs: number,
    arrivals: readonly { atMs: number }[] = [...this.sound, ...this.pictures],
  ): number {
    const arrivalTimes = arrivals.map(({ atMs }) => atMs).filter((atMs) => atMs >= fromMs);
    const times = [fromMs, ...arrivalTimes.toSorted((a, b) => a - b), performance.now()];
    return Math.max(...times.slice(1).map((atMs, i) => atMs - times[i]!));
  }

  /** Frees the memory of what was received so far. */
  forget(): void {
    for (const list of [this.records, this.sound, this.pictures]) list.length = 0;
  }

  async leave(): Promise<void> {
    if (this.closed) return;
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #receive(record: MediaRecord): void {
    const atMs = performance.now();
    this.records.push({ ...record, atMs });
    if (record.type === 'video') {
      const { timestamp_ms = 0 } = record.header as VideoHeader;
      this.pictures.push({ jpeg: record.blob, mediaMs: timestamp_ms, atMs });
    }
    // Copied: samples must be aligned.
    if (record.type === 'audio')
      this.sound.push({ samples: new Int16Array(new Uint8Array(record.blob).buffer), atMs });
  }
}

const isLoud = ({ samples }: SoundPiece): boolean =>
  samples.some((sample) => Math.abs(sample) > LOUD);

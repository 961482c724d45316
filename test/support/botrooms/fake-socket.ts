import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { readRecord } from '#protocol/botroom/records.ts';

/** A socket without a network: what is sent arrives at once. */
export class FakeSocket extends EventEmitter {
  isPaused = false;
  closed: { code: number; reason: string } | null = null;
  /** Message of the last `error` record. */
  errorMessage: unknown = null;
  sentCount = 0;

  get asSocket(): WebSocket {
    return this as unknown as WebSocket;
  }

  receive(message: Buffer, isBinary = true): void {
    this.emit('message', message, isBinary);
  }

  send(message: Uint8Array, onSent?: () => void): void {
    this.sentCount += 1;
    const { type, header } = readRecord(message);
    if (type === 'error') this.errorMessage = header['message'];
    onSent?.();
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
    this.emit('close', code, Buffer.from(reason));
  }

  terminate(): void {
    this.close(1006, '');
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  ping(): void {
    this.emit('pong');
  }
}

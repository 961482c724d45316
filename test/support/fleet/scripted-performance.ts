import type { EndReason } from '#protocol/end-reasons.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { Performance, PerformanceListener } from '../../../workers/runtime/performance.ts';

/** A performance directed by a test. By default it obeys its orders. */
export class ScriptedPerformance implements Performance {
  readonly assign: Assign;
  /** Its callbacks into the worker. */
  readonly tell: PerformanceListener;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<EndReason>();
  readonly #released = Promise.withResolvers<boolean>();
  readonly #closed = Promise.withResolvers<void>();
  readonly calls: string[] = [];
  /** Changes of its picture. */
  readonly changes: object[] = [];
  framesShown = 0;
  /** Null: it has shown no frame. */
  picture: Uint8Array | null = null;
  endDetail: string | undefined;
  isSlowToLeave = false;
  isSlowToClose = false;

  constructor(assign: Assign, tell: PerformanceListener) {
    this.assign = assign;
    this.tell = tell;
  }

  get started() {
    return this.#started.promise;
  }

  get ended() {
    return this.#ended.promise;
  }

  still(): Uint8Array | null {
    return this.picture;
  }

  changePicture(change: object): void {
    this.changes.push(change);
  }

  start(): void {
    this.#started.resolve();
  }

  finish(reason: EndReason): void {
    this.#ended.resolve(reason);
  }

  fail(error: Error): void {
    this.#ended.reject(error);
  }

  closeAtLast(): void {
    this.#closed.resolve();
  }

  end(reason: EndReason): void {
    this.calls.push(`end ${reason}`);
    if (!this.isSlowToLeave) this.finish(reason);
  }

  release(withinMs: number): Promise<boolean> {
    this.calls.push(`release ${withinMs}`);
    return this.#released.promise;
  }

  /** Resolves `release`. `isInRoom` is false when the session left its room meanwhile. */
  fallSilent(isInRoom = true): void {
    this.#released.resolve(isInRoom);
  }

  drop(): void {
    this.calls.push('drop');
  }

  async close(): Promise<void> {
    this.calls.push('close');
    if (this.isSlowToClose) await this.#closed.promise;
  }
}

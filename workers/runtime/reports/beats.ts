import type { Clock } from '#shared/clock.ts';
import { MISSED_BEATS } from '#protocol/worker/beats.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Beat } from '#protocol/worker/worker-messages.ts';

/** The part of a session that beats depend on. */
export type BeatingSession = {
  placement: Placement;
  isLeaving: boolean;
  performance: { readonly framesShown?: number };
};

type BeatsParts = {
  clock: Clock;
  send: (beat: Beat) => void;
  sessions: () => Iterable<BeatingSession>;
};

/**
 * Tells the gateway that this process is alive and which sessions draw no frames. Runs on the
 * thread that draws, so a blocked process sends nothing.
 */
export class Beats {
  readonly #parts: BeatsParts;
  /** Frames shown at the last beat, and the number of beats since that number changed. */
  readonly #frames = new WeakMap<BeatingSession, { framesShown: number; stillBeats: number }>();
  #lastCount = 0;
  #stop: (() => void) | null = null;

  constructor(parts: BeatsParts) {
    this.#parts = parts;
  }

  /** Call on every new connection. `everyMs` null: this gateway wants no beats. */
  start(everyMs: number | null): void {
    this.close();
    if (everyMs === null) return;
    this.#lastCount = 0;
    this.#stop = this.#parts.clock.every(everyMs, () => this.#beat());
    this.#send([...this.#parts.sessions()].length, []);
  }

  /** The gateway expects beats from the moment the first session is assigned. */
  sessionAdded(): void {
    if (this.#stop && this.#lastCount === 0) this.#send(1, []);
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #beat(): void {
    const sessions = [...this.#parts.sessions()];
    const stalled = sessions.filter((session) => this.#isStalled(session));
    this.#send(
      sessions.length,
      stalled.map(({ placement }) => placement),
    );
  }

  /** Call once per beat. A session that has shown no frame yet is opening, not stalled. */
  #isStalled(session: BeatingSession): boolean {
    const framesShown = session.performance.framesShown ?? 0;
    const previousBeat = this.#frames.get(session);
    const isStill =
      framesShown > 0 && previousBeat?.framesShown === framesShown && !session.isLeaving;
    const stillBeats = isStill ? previousBeat.stillBeats + 1 : 0;
    this.#frames.set(session, { framesShown, stillBeats });
    return stillBeats >= MISSED_BEATS;
  }

  #send(performing: number, stalled: Placement[]): void {
    if (performing === 0 && this.#lastCount === 0) return;
    this.#lastCount = performing;
    this.#parts.send({ type: 'beat', performing, ...(stalled.length > 0 && { stalled }) });
  }
}

/*
 * One synthetic session from request to end, with a time limit for each step. The probe ends what
 * it opened, also after a failure, and when it does not know whether the service opened a session.
 */
import { inTime, type Clock } from '#shared/clock.ts';

export const STEPS = ['created', 'joined', 'first_frame', 'speech_heard', 'ended'] as const;
export type Step = (typeof STEPS)[number];

/** How to join the room of a session. */
export type RoomAccess = { url: string; agentToken: string; viewerToken: string };
/** `room` is null if the service has no media server of its own. */
export type ProbeSession = { id: string; room: RoomAccess | null };

/** Facts about a session, by the service. */
export type SessionState = { status: string; endReason?: string; endDetail?: string };

/** Every call takes a signal that aborts it. Repeated calls of `open` open one session. */
export interface ServiceApi {
  open(signal: AbortSignal): Promise<ProbeSession>;
  find(id: string, signal: AbortSignal): Promise<SessionState>;
  /** Resolves when the session is completed. */
  end(id: string, signal: AbortSignal): Promise<void>;
}

/** Agent and viewer in the room. Waits reject when the room closes. */
export interface ProbeRoom {
  join(access: RoomAccess): Promise<void>;
  firstFrame(): Promise<void>;
  /** Speaks. Resolves when the viewer has heard it and seen pictures meanwhile. */
  speak(): Promise<void>;
  /** Pictures per second since the first one. */
  frameRate(): number;
  leave(): Promise<void>;
}

export type ProbeResult = {
  sessionId: string | null;
  /** Milliseconds of each completed step. `first_frame` counts from the request, as people do. */
  steps: Partial<Record<Step, number>>;
  framesPerSecond: number | null;
  failure: { step: Step; problem: string } | null;
};

/** A sentence for people. */
export class ProbeFailure extends Error {
  override readonly name: string = 'ProbeFailure';
}

/** The service answered: it opened no session. */
export class ServiceRefusal extends ProbeFailure {
  override readonly name = 'ServiceRefusal';
}

const LATE: Record<Step, string> = {
  created: 'The service did not answer the request for a session',
  joined: 'The probe could not join the room',
  first_frame: 'No picture of the avatar came',
  speech_heard: 'The speech was not heard with moving pictures',
  ended: 'The session did not end',
};

export type ProbeParts = {
  api: ServiceApi;
  room: ProbeRoom;
  clock: Clock;
  /** Limit of each step. */
  stepMs: number;
  /** Stops the probe, which still ends its session. */
  signal: AbortSignal;
};

export class Probe {
  readonly #parts: ProbeParts;
  readonly #result: ProbeResult = {
    sessionId: null,
    steps: {},
    framesPerSecond: null,
    failure: null,
  };

  constructor(parts: ProbeParts) {
    this.#parts = parts;
  }

  async run(): Promise<ProbeResult> {
    const session = await this.#perform();
    if (session) await this.#end(session.id);
    await this.#parts.room.leave();
    return this.#result;
  }

  /** Every step but the last. Returns the session that must be ended. */
  async #perform(): Promise<ProbeSession | null> {
    const { api, room, clock } = this.#parts;
    const requestedAt = clock.elapsed();
    const opened = await this.#timed('created', (signal) => api.open(signal)).catch(
      (error: unknown) => (error instanceof ServiceRefusal ? null : this.#findOpened()),
    );
    if (!opened || this.#result.failure) return opened;
    try {
      await this.#timed('joined', async () => {
        if (!opened.room) throw new ProbeFailure('The service has no media server of its own.');
        await room.join(opened.room);
      });
      await this.#timed('first_frame', () => room.firstFrame(), requestedAt);
      await this.#timed('speech_heard', () => room.speak());
      this.#result.framesPerSecond = Math.round(room.frameRate() * 10) / 10;
    } catch {
      await this.#explain(opened.id);
    }
    return opened;
  }

  /** The service may have opened a session without an answer: the same request tells its id. */
  async #findOpened(): Promise<ProbeSession | null> {
    return this.#limited((signal) => this.#parts.api.open(signal), '').catch(() => null);
  }

  /** Adds why the session ended by itself, if it did. */
  async #explain(id: string): Promise<void> {
    const { api } = this.#parts;
    const state = await this.#limited((signal) => api.find(id, signal), '').catch(() => null);
    if (!state || !this.#result.failure) return;
    const { status, endReason, endDetail } = state;
    this.#result.failure.problem += endReason
      ? ` The session had ended: ${endReason}${endDetail ? `, ${endDetail}` : ''}.`
      : ` The session was ${status}.`;
  }

  async #end(id: string): Promise<void> {
    const earlier = this.#result.failure;
    this.#result.sessionId = id;
    const end = (signal: AbortSignal) => this.#parts.api.end(id, signal);
    // Not stopped by the signal.
    await this.#timed('ended', end, undefined, null).catch((error: unknown) => {
      if (earlier) earlier.problem += ` It could not be ended either: ${problemOf(error)}`;
    });
  }

  async #timed<Made>(
    step: Step,
    work: (signal: AbortSignal) => Promise<Made>,
    since = this.#parts.clock.elapsed(),
    stop: AbortSignal | null = this.#parts.signal,
  ): Promise<Made> {
    const { clock, stepMs } = this.#parts;
    try {
      const result = await this.#limited(work, `${LATE[step]} within ${stepMs / 1000} s.`, stop);
      this.#result.steps[step] = Math.round(clock.elapsed() - since);
      return result;
    } catch (error) {
      // The first failure is the cause.
      this.#result.failure ??= { step, problem: problemOf(error) };
      throw error;
    }
  }

  /** Rejects with `late` after the limit, and when stopped. Aborts the work either way. */
  async #limited<Made>(
    work: (signal: AbortSignal) => Promise<Made>,
    late: string,
    stop: AbortSignal | null = null,
  ): Promise<Made> {
    const { clock, stepMs } = this.#parts;
    const limit = new AbortController();
    const stopped = Promise.withResolvers<never>();
    stopped.promise.catch(() => {});
    const onStop = () => stopped.reject(new ProbeFailure('The probe was stopped.'));
    if (stop?.aborted) onStop();
    stop?.addEventListener('abort', onStop);
    try {
      const workOrStop = Promise.race([stopped.promise, work(limit.signal)]);
      return await inTime(clock, stepMs, workOrStop, () => new ProbeFailure(late));
    } finally {
      stop?.removeEventListener('abort', onStop);
      limit.abort();
    }
  }
}

const problemOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

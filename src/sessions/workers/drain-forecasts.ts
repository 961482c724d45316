/* When draining workers will be empty, at the latest. */
import type { Clock } from '#shared/clock.ts';
import type { WorkerStatus } from '../../fleet/fleet.ts';
import type { SessionRecords, WorkerSession } from '../../records/sessions/sessions.ts';
import { expiryOf } from '../live/deadlines.ts';

/** `doneBy`: in milliseconds since the epoch; null: a session has no limit. */
export type DrainForecast = { sessions: number; doneBy: number | null };

/** For a slot elsewhere, a pause in speech and the worker's answer. */
const HANDOVER_MS = 15_000;

/**
 * A worker with a time limit hands over what is left when it runs out, if there are slots
 * elsewhere. `drainLeftMs` undefined: the worker has not reported its limit, or has none.
 */
export function forecastDrain(
  sessions: readonly Omit<WorkerSession, 'id' | 'kind' | 'workerId'>[],
  { drainLeftMs, startMs, now }: { drainLeftMs: number | undefined; startMs: number; now: number },
): DrainForecast {
  const handedOverAt = drainLeftMs === undefined ? Infinity : now + drainLeftMs + HANDOVER_MS;
  const ends = sessions.map((session) =>
    Math.min(handedOverAt, expiryOf(session, startMs) ?? Infinity),
  );
  const lastEndAt = Math.max(now, ...ends);
  return { sessions: sessions.length, doneBy: lastEndAt === Infinity ? null : lastEndAt };
}

type DrainForecastParts = {
  records: Pick<SessionRecords, 'ofWorkers'>;
  clock: Clock;
  /** Limit for the start of a session. */
  startMs: number;
};

export class DrainForecasts {
  readonly #parts: DrainForecastParts;

  constructor(parts: DrainForecastParts) {
    this.#parts = parts;
  }

  /** Forecasts of the draining workers, by worker. */
  async of(workers: readonly WorkerStatus[]): Promise<Map<string, DrainForecast>> {
    const { records, clock, startMs } = this.#parts;
    const draining = workers.filter(({ state }) => state === 'draining');
    if (draining.length === 0) return new Map();
    const sessions = await records.ofWorkers(draining.map(({ facts }) => facts.workerId));
    return new Map(
      draining.map(({ facts: { workerId }, load: { drainLeftMs } }) => {
        const ownSessions = sessions.filter((session) => session.workerId === workerId);
        return [workerId, forecastDrain(ownSessions, { drainLeftMs, startMs, now: clock.now() })];
      }),
    );
  }
}

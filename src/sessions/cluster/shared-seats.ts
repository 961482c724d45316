import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { SeatSpeech, SessionNotices, SessionRequests } from './messages.ts';

/** A new session waits for this before its worker is asked. */
const FIND_WITHIN_MS = 500;

type SharedSeatsParts = {
  bus: ClusterBus<SessionRequests, SessionNotices>;
  clock: Clock;
  log: Log;
};

/** Seats in rooms. A new session may replace a session of another control plane. */
export class SharedSeats {
  readonly #parts: SharedSeatsParts;

  constructor(parts: SharedSeatsParts) {
    this.#parts = parts;
  }

  /** `find`: the speech of the session of this control plane that has the seat. */
  answer(find: (seat: string) => SeatSpeech | null): void {
    this.#parts.bus.onRequest('seat_speech', ({ seat }) => find(seat));
  }

  /** That of the newest session elsewhere. Null also while no other control plane answers. */
  async find(seat: string): Promise<SeatSpeech | null> {
    const { bus, clock, log } = this.#parts;
    const ask = async (node: string) => {
      try {
        const answer = bus.request(node, 'seat_speech', { seat });
        return await inTime(clock, FIND_WITHIN_MS, answer, tooLate);
      } catch (err) {
        log.warn({ node, err }, 'speech of a replaced session unknown');
        return null;
      }
    };
    const nodes = await inTime(clock, FIND_WITHIN_MS, bus.living(), tooLate).catch(() => []);
    const answers = await Promise.all(nodes.filter((node) => node !== bus.self).map(ask));
    const speeches = answers.filter((speech) => speech !== null);
    return speeches.toSorted((a, b) => b.createdAt - a.createdAt)[0] ?? null;
  }
}

const tooLate = (): Error => new Error(`no answer within ${FIND_WITHIN_MS} ms`);

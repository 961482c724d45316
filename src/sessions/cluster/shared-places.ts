import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { LivePlace } from '../reconciliation/diff.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';

type SharedPlacesParts = {
  live: Pick<LiveSessions, 'places'>;
  bus: ClusterBus<SessionRequests, SessionNotices>;
};

/** The live sessions of all control planes. */
export class SharedPlaces {
  readonly #parts: SharedPlacesParts;

  constructor(parts: SharedPlacesParts) {
    this.#parts = parts;
    parts.bus.onRequest('places', () => parts.live.places());
  }

  async places(): Promise<LivePlace[]> {
    const { live, bus } = this.#parts;
    const otherNodes = (await bus.living()).filter((node) => node !== bus.self);
    const places = await Promise.all(otherNodes.map((node) => bus.request(node, 'places', null)));
    return [...live.places(), ...places.flat()];
  }
}

/* Changes the pictures of the sessions of all control planes, each at its owner. */
import { NodeGone, type ClusterBus } from '../../cluster/cluster-bus.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { PictureChange, SessionPictures } from '../pictures/session-pictures.ts';
import { beingTakenOver } from '../being-taken-over.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';
import type { OwnerLookup } from './owner-lookup.ts';

type RoutedPicturesParts = {
  /** For the sessions that this control plane owns. */
  pictures: SessionPictures;
  live: Pick<LiveSessions, 'get'>;
  records: Pick<SessionRecords, 'find'>;
  owners: OwnerLookup;
  bus: ClusterBus<SessionRequests, SessionNotices>;
};

export class RoutedPictures implements SessionPictures {
  readonly #parts: RoutedPicturesParts;

  constructor(parts: RoutedPicturesParts) {
    this.#parts = parts;
    const { live, bus } = parts;
    bus.onRequest('change_picture', async ({ sessionId, change }) => {
      const session = live.get(sessionId);
      await session?.changePicture(change);
      return session !== undefined;
    });
  }

  async change(
    accountId: string,
    id: string,
    change: PictureChange,
  ): Promise<SessionRecord | null> {
    const { pictures, records, owners, bus } = this.#parts;
    const session = await records.find(accountId, id);
    if (!session || session.status === 'completed') return session;
    const owner = await owners.of(id);
    if (owner === null) return pictures.change(accountId, id, change);
    const isChanged = await bus
      .request(owner, 'change_picture', { sessionId: id, change })
      .catch((error: unknown) => {
        if (error instanceof NodeGone) return false;
        throw error;
      });
    if (!isChanged) {
      owners.forget(id);
      throw beingTakenOver();
    }
    return records.find(accountId, id);
  }
}

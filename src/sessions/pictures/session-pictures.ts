import type { VideoWish } from '#protocol/pictures/frames.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import { beingTakenOver } from '../being-taken-over.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** The parts of a picture that may change while a session runs. */
export type PictureChange = Pick<VideoWish, 'framing' | 'background'> & { emotion?: string };

/** Changes the pictures of sessions at whichever control plane owns them. */
export interface SessionPictures {
  /**
   * Changes what a live session shows; a completed one stays as it is. Null when the account has no
   * such session. Throws `at_capacity` while no control plane owns it.
   */
  change(accountId: string, id: string, change: PictureChange): Promise<SessionRecord | null>;
}

type OwnPicturesParts = {
  live: Pick<LiveSessions, 'get'>;
  records: Pick<SessionRecords, 'find'>;
};

/** The pictures of the sessions that this control plane owns. */
export class OwnPictures implements SessionPictures {
  readonly #parts: OwnPicturesParts;

  constructor(parts: OwnPicturesParts) {
    this.#parts = parts;
  }

  async change(
    accountId: string,
    id: string,
    change: PictureChange,
  ): Promise<SessionRecord | null> {
    const { live, records } = this.#parts;
    const record = await records.find(accountId, id);
    if (!record || record.status === 'completed') return record;
    const session = live.get(id);
    if (!session) throw beingTakenOver();
    await session.changePicture(change);
    return records.find(accountId, id);
  }
}

import type { VideoWish } from '#protocol/pictures/frames.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import type { LiveSessions } from '../live/live-sessions.ts';

/** What may change while a session runs. */
export type PictureChange = Pick<VideoWish, 'framing' | 'background'> & { emotion?: string };

/** Changes the pictures of sessions at whichever control plane owns them. */
export interface SessionPictures {
  /**
   * Changes what a live session shows; a completed one stays as it is. Null when the account has no
   * such session.
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
    const session = await records.find(accountId, id);
    if (!session) return null;
    await live.get(id)?.changePicture(change);
    return records.find(accountId, id);
  }
}

import { SessionCreation } from './creation/session-creation.ts';
import type { SessionRooms } from './creation/session-rooms.ts';
import { OwnEnding } from './ending/session-ending.ts';
import { LiveSessions, type LiveSessionsParts } from './live/live-sessions.ts';
import { OwnPictures } from './pictures/session-pictures.ts';
import type { SessionSlots } from './placement/slots.ts';
import { SessionRecovery } from './recovery/session-recovery.ts';
import { OwnReports } from './reports/worker-reports.ts';

type OwnSessionsOptions = {
  parts: LiveSessionsParts;
  slots: SessionSlots;
  rooms: SessionRooms;
};

export type OwnSessions = ReturnType<typeof openOwnSessions>;

/** The sessions that this control plane owns. Records, fleet and rooms belong to the app. */
export function openOwnSessions({ parts, slots, rooms }: OwnSessionsOptions) {
  const live = new LiveSessions(parts);
  const recovery = new SessionRecovery({ ...parts, live });
  live.onSuperseded((sessionId) => recovery.recoverSoon(sessionId));
  const creation = new SessionCreation({ ...parts, live, slots, rooms });
  return {
    live,
    recovery,
    creation,
    reports: new OwnReports({ ...parts, live, recovery }),
    ending: new OwnEnding({ ...parts, live }),
    pictures: new OwnPictures({ ...parts, live }),
    /** Sessions continue in their rooms; the next start recovers them from the records. */
    async close(): Promise<void> {
      recovery.close();
      await creation.settled();
      await live.close();
      await rooms.settled();
    },
  };
}

import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Cluster } from '../../cluster/open-cluster.ts';
import type { SessionRecords } from '../../records/sessions/sessions.ts';
import type { OwnSessions } from '../own-sessions.ts';
import type { SessionEvents } from '../session-events.ts';
import { recoverFromLostNodes } from './lost-nodes.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';
import { OwnerLookup } from './owner-lookup.ts';
import { RoutedEnding } from './routed-ending.ts';
import { RoutedPictures } from './routed-pictures.ts';
import { RoutedReports } from './routed-reports.ts';
import { eventsOfAll } from './shared-events.ts';
import { SharedPlaces } from './shared-places.ts';

type ShareSessionsParts = Pick<Cluster<SessionRequests, SessionNotices>, 'bus' | 'ownership'> & {
  own: Pick<OwnSessions, 'live' | 'recovery' | 'reports' | 'ending' | 'pictures'>;
  records: SessionRecords;
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  clock: Clock;
  log: Log;
};

/**
 * The sessions of all control planes. Each session has one owner, which handles what concerns it.
 */
export function shareSessions({ own, events, ...parts }: ShareSessionsParts) {
  const { live, recovery, reports, ending, pictures } = own;
  const owners = new OwnerLookup({ ...parts, live });
  recoverFromLostNodes({ ...parts, recovery });
  return {
    reports: new RoutedReports({ ...parts, reports, owners }),
    ending: new RoutedEnding({ ...parts, ending, live, owners }),
    pictures: new RoutedPictures({ ...parts, pictures, live, owners }),
    places: new SharedPlaces({ ...parts, live }),
    events: eventsOfAll({ ...parts, events }),
  };
}

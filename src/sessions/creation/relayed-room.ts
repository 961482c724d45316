import { botroomPath } from '#protocol/botroom/path.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';

type RelayedRoom = { path: string; token: string };

/** The botroom that the session's face is shown in; null: it is shown in another room. */
export const faceRelayOf = ({
  transport,
  speech,
  roomUrl,
  roomToken,
}: Pick<SessionRecord, 'transport' | 'speech' | 'roomUrl' | 'roomToken'>): RelayedRoom | null =>
  transport === 'botroom' && speech === null
    ? { path: botroomPath(roomUrl.slice(roomUrl.lastIndexOf('/') + 1)), token: roomToken }
    : null;

/** The botroom that a control plane relays for the session, if any: of its face or its speech. */
export function relayOf(session: SessionRecord): RelayedRoom | null {
  const { speech } = session;
  if (speech?.protocol === 'botroom') return { path: speech.url, token: speech.token ?? '' };
  return faceRelayOf(session);
}

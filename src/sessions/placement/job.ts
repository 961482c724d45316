import { DEFAULT_POOL, type Job, type Requirements } from '../../fleet/fleet.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { CallerBots } from '../../rooms/caller-bots.ts';
import type { CallerRooms, RoomAddress } from '../../rooms/caller-rooms.ts';
import { isPlain } from '../video.ts';
import { faceRelayOf } from '../creation/relayed-room.ts';
import type { RoomRequest } from '../creation/session-rooms.ts';

export const requirementsOf = ({
  kind,
  transport,
  speech,
  avatarId,
  bundleHash,
  video,
  pool,
}: Pick<SessionRecord, 'kind' | 'transport' | 'avatarId' | 'bundleHash' | 'video' | 'pool'> &
  WithSpeech): Requirements => ({
  kind,
  transport: transportOf({ transport, speech }),
  avatarId,
  bundleHash,
  hasSpeechSource: speech !== null,
  needsFrames: !isPlain(video),
  pool: pool ?? DEFAULT_POOL,
});

/** A face whose speech comes by another way is shown in a room of a media server. */
const transportOf = ({
  transport,
  speech,
}: Pick<SessionRecord, 'transport'> & WithSpeech): Job['transport'] =>
  speech ? 'mediaserver' : transport;

/** Shared by sessions and requests for them. */
type WithSpeech = { speech: NonNullable<RoomRequest['speech']> | null };

/** Parts of an assignment that the session's record does not hold. */
export type JobSources = {
  /** Where workers reach what a caller brought. */
  callerRooms: Pick<CallerRooms, 'addressOf'>;
  callerBots: Pick<CallerBots, 'addressOf'>;
  /** Parent of the worker's spans. Absent while nothing is traced. */
  traceparent?(session: SessionRecord): string;
};

/** `unanswered`: seconds heard of each open speech segment; null when no stream was heard. */
export function jobOf(
  session: SessionRecord,
  unanswered: number[] | null,
  jobSources: JobSources,
): Job {
  const { kind, callId, avatarId, bundleHash, video, signals } = session;
  const speech = speechOf(session, jobSources);
  return {
    transport: transportOf(session),
    room: {
      ...roomOf(session, jobSources),
      token: session.renewedToken ?? session.roomToken,
    },
    ...(speech && { speech }),
    avatarId,
    ...(bundleHash !== null && { bundle: bundleHash }),
    video,
    ...(signals.length > 0 && { signals }),
    ...(unanswered !== null && { unanswered }),
    ...(kind === 'agent' && callId !== null && { callId }),
    ...(jobSources.traceparent && { traceparent: jobSources.traceparent(session) }),
  };
}

function roomOf(session: SessionRecord, jobSources: JobSources): RoomAddress {
  const botroom = faceRelayOf(session);
  if (botroom) return { url: botroom.path };
  // Both sessions of a call are in the room that was made for its face.
  const isBuiltIn = session.builtInRoom !== null || session.callId !== null;
  return isBuiltIn ? { url: session.roomUrl } : jobSources.callerRooms.addressOf(session.roomUrl);
}

function speechOf({ speech }: SessionRecord, jobSources: JobSources): Job['speech'] {
  if (speech?.protocol !== 'pipecat') return speech ?? undefined;
  return { ...speech, ...jobSources.callerBots.addressOf(speech.url) };
}

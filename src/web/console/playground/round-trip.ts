import type { RemoteTrack, Room } from 'livekit-client';

type Pair = { type: string; nominated?: boolean; currentRoundTripTime?: number };

/** From this browser to the media server and back, of the media. Null: no media arrives yet. */
export async function roundTripMs(room: Room): Promise<number | null> {
  const [track] = [...room.remoteParticipants.values()]
    .flatMap((participant) => [...participant.trackPublications.values()])
    .flatMap(({ track }): RemoteTrack[] => (track ? [track] : []));
  const report = await track?.getRTCStatsReport();
  const pairs = [...((report?.values() ?? []) as Iterable<Pair>)].filter(
    ({ type, nominated }) => type === 'candidate-pair' && nominated,
  );
  const seconds = pairs.find(({ currentRoundTripTime }) => currentRoundTripTime !== undefined);
  return seconds ? seconds.currentRoundTripTime! * 1000 : null;
}

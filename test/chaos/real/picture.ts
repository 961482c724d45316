/* Faults in a viewer's picture of one avatar: gaps, and a second avatar. */
import { RoomEvent, TrackKind, type Room } from '@livekit/rtc-node';
import type { Sight } from '../../support/picture/face-log.ts';
import type { Blow } from './fault-injection.ts';

/** A gap in the picture. `toMs` is null while it lasts. */
export type Gap = { fromMs: number; toMs: number | null };

export function gapsIn(sights: readonly Sight[], steadyMs: number, nowMs: number): Gap[] {
  const gaps: Gap[] = [];
  for (const [i, { atMs }] of sights.entries()) {
    const nextMs = sights[i + 1]?.atMs ?? null;
    if ((nextMs ?? nowMs) - atMs > steadyMs) gaps.push({ fromMs: atMs, toMs: nextMs });
  }
  return gaps;
}

/** Participants that showed the avatar, in order. */
export const seatsIn = (sights: readonly Sight[]): string[] =>
  sights.map(({ sid }) => sid).filter((sid, i, sids) => sid !== sids[i - 1]);

export const seenAgain = (sights: readonly Sight[]): string[] =>
  seatsIn(sights).flatMap((sid, i, seats) =>
    seats.indexOf(sid) < i ? [`the replaced avatar ${sid} was seen again`] : [],
  );

/** Notes in `problems` when a picture of anyone but this avatar, or of two, is in the room. */
export function countAvatars(room: Room, identity: string, problems: string[]): void {
  const count = () => {
    const avatars = [...room.remoteParticipants.values()].flatMap((participant) =>
      [...participant.trackPublications.values()]
        .filter(({ kind }) => kind === TrackKind.KIND_VIDEO)
        .map(() => participant.identity),
    );
    if (avatars.length > 1 || avatars.some((avatar) => avatar !== identity))
      problems.push(`${avatars.length} avatars at once: ${avatars.join(', ')}`);
  };
  room.on(RoomEvent.ParticipantConnected, count).on(RoomEvent.TrackPublished, count);
}

type Watched = { id: string; gapsUntil(nowMs: number): Gap[] };

/** Gaps in the picture without a fault, or longer than the fault's limit. */
export function unexplained(watched: Watched, blows: Blow[], nowMs = performance.now()): string[] {
  const { id } = watched;
  return watched.gapsUntil(nowMs).flatMap(({ fromMs, toMs }) => {
    const endMs = toMs ?? nowMs;
    const backBy = Math.max(
      ...blows
        .filter(({ sessions, atMs }) => sessions.includes(id) && atMs <= endMs)
        .map(({ atMs, backMs }) => atMs + backMs),
    );
    // The viewer's decoder still returns frames after the fault, so only the end counts.
    if (endMs <= backBy) return [];
    const lateMs = Number.isFinite(backBy)
      ? `, ${Math.round(endMs - backBy)} ms later than allowed`
      : '';
    return [`${id}: no picture for ${Math.round(endMs - fromMs)} ms${lateMs}`];
  });
}

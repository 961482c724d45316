import { TrackKind, TrackSource } from '@livekit/rtc-node';
import type { Check } from '../check.ts';
import { FACE } from '../conversation.ts';
import { judgeContrast } from '../judgement/picture.ts';
import { judgeAnswers, judgeMessages } from '../judgement/registration.ts';

const SEEN_FRAMES = 10;
/** Pages find the tracks by their sources. */
const TRACKS = [
  [TrackKind.KIND_VIDEO, TrackSource.SOURCE_CAMERA, 'video track with the source camera'],
  [TrackKind.KIND_AUDIO, TrackSource.SOURCE_MICROPHONE, 'audio track with the source microphone'],
] as const;

export const join: Check = {
  name: 'join',
  what: 'registers, accepts a session, joins its room with picture and sound',
  run: (kit) =>
    kit.converse(async ({ agent, viewer }, { tap }) => {
      await viewer.sees(SEEN_FRAMES);
      const face = agent.room.remoteParticipants.get(FACE);
      const published = [...(face?.trackPublications.values() ?? [])];
      const missing = TRACKS.filter(
        ([kind, source]) =>
          !published.some((track) => track.kind === kind && track.source === source),
      ).map(([, , name]) => `no ${name}`);
      const extra = published.length > 2 ? [`${published.length} tracks instead of two`] : [];
      const assigned = tap.received('assign')[0]!.atMs;
      const started = tap.sent('started')[0]!.atMs;
      return {
        problems: [
          ...judgeMessages(tap.heard),
          ...judgeAnswers(tap.heard),
          ...missing,
          ...extra,
          ...judgeContrast(viewer.look ?? []),
        ],
        facts: `started ${Math.round(started - assigned)} ms after the assignment`,
      };
    }),
};

/* Rooms in which this process performs: what a viewer hears, and when. */
import { newName } from '#shared/ids.ts';
import { hearsFirstWords } from '../../stage/first-words.ts';
import { HEARD_WITHIN_S, toneErrors } from '../../stage/tone-errors.ts';
import { PerformedRooms } from '../../stage/performed-room.ts';
import { growthByRooms } from '../../stage/rooms-left.ts';
import { openViewedRoom } from '../../stage/viewed-room.ts';
import { PlainAgent } from '../../support/agents/plain-agent.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { risingTone, type Utterance } from '../../support/sound/rising-tone.ts';
import { until } from '../../support/until.ts';
import { row, type Row } from '../report/row.ts';
import { babble } from '../rooms/speech.ts';

const AVATAR = 'troupe-avatar';
const TRIES = 3;
const TONE_S = 3;
const STREAM_RATE = 24_000;
const TRACK_RATE = 48_000;
/** The engine keeps 0.5 MB of a room (test/reproductions/rtc-node-room-growth.ts). */
const KNOWN_MB = 0.7;

const inRooms = async (measure: (rooms: PerformedRooms) => Promise<Row[]>): Promise<Row[]> => {
  const rooms = await PerformedRooms.open();
  try {
    return await measure(rooms);
  } finally {
    await rooms.close();
  }
};

/**
 * There are two jitter buffers between agent and viewer. Each drops a little of a sound to catch
 * up. A new track loses some 75 ms of its first sound before they reach the avatar.
 */
export const agentTrack = (): Promise<Row[]> =>
  inRooms(async (rooms) => {
    const repeated: Utterance[][] = [];
    const direct: Utterance[][] = [];
    for (let i = 0; i < TRIES; i++) {
      const room = newName('room');
      const agentToken = await rooms.token(room, 'agent', { kind: 'agent' });
      const agent = await rooms.join(new PlainAgent(), agentToken);
      rooms.perform(await rooms.token(room, AVATAR, { kind: 'agent', behalf: 'agent' }));
      const viewer = await rooms.join(new AvatarViewer(AVATAR), await rooms.token(room, 'viewer'));
      const directToken = await rooms.token(room, 'direct viewer');
      const directViewer = await rooms.join(new AvatarViewer('agent'), directToken);
      await viewer.sees(25);
      await agent.publishToListener();
      await viewer.sees(50);
      for (const tones of [1, 2]) {
        await agent.say(risingTone(TRACK_RATE, TONE_S));
        await until(() => viewer.utterances.length === tones);
        await viewer.hearsNothingFor(0.5);
      }
      repeated.push(viewer.utterances);
      direct.push(directViewer.utterances);
      await rooms.empty();
    }
    const ends = ({ startSecond, endSecond }: Utterance) => [
      1_000 * startSecond,
      1_000 * (endSecond - TONE_S),
    ];
    const subject = `a track of ${TONE_S} s that an avatar repeats, ${TRIES} times`;
    const note = "floor: the agent's own track";
    return [
      row({
        what: `${subject}: beginning and end, minus those said`,
        unit: 'ms',
        values: nth(1, repeated).flatMap(ends),
        floor: nth(1, direct).flatMap(ends),
        goal: { of: 'worst', within: 1_000 * HEARD_WITHIN_S },
        note,
      }),
      row({
        what: `${subject}: heard of it`,
        unit: 's',
        values: nth(1, repeated).map(({ seconds }) => seconds),
        floor: nth(1, direct).map(({ seconds }) => seconds),
        goal: { of: 'worst', atLeast: TONE_S - 0.15 },
        note,
      }),
      row({
        what: `${subject}: beginning and end of the first sound of the track, minus those said`,
        unit: 'ms',
        values: nth(0, repeated).flatMap(ends),
        floor: nth(0, direct).flatMap(ends),
        note,
      }),
    ];
  });

/** The nth utterance of each room. */
const nth = (n: number, utterances: Utterance[][]): Utterance[] =>
  utterances.flatMap((roomUtterances) => roomUtterances[n] ?? []);

export const firstWords = (): Promise<Row[]> =>
  inRooms(async (rooms) => {
    const errors: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const { utterances } = await hearsFirstWords(rooms, 1);
      errors.push(...toneErrors(utterances[0], 1).slice(0, 2));
      await rooms.empty();
    }
    return [
      row({
        what: `a second that was said before its viewer subscribed, ${TRIES} times: beginning and end, minus those said`,
        unit: 'ms',
        values: errors,
        goal: { of: 'worst', within: 1_000 * HEARD_WITHIN_S },
      }),
    ];
  });

export const lastSound = (): Promise<Row[]> =>
  inRooms(async (rooms) => {
    const { agent, viewer } = await openViewedRoom(rooms, AVATAR);
    const delaysMs: number[] = [];
    for (let i = 0; i < TRIES; i++) {
      const finished = agent.nextFinished();
      await agent.say(babble(STREAM_RATE, 2_000), STREAM_RATE);
      await viewer.untilLoud();
      const { atMs } = await finished;
      delaysMs.push((await viewer.untilSilent(200)) - atMs);
    }
    return [
      row({
        what: `last sound at a viewer after the report that all was played, ${TRIES} times`,
        unit: 'ms',
        values: delaysMs,
        goal: { of: 'worst', atMost: 500 },
        note: "with the viewer's jitter buffer",
      }),
    ];
  });

export async function roomsLeft(): Promise<Row[]> {
  return [
    row({
      what: 'private memory that a worker keeps of each room that it has left',
      unit: 'MB',
      values: growthByRooms(40).privateMb,
      goal: { of: 'median', atMost: KNOWN_MB },
      note: 'the engine itself keeps 0.5 MB',
      calmBy: 'others',
    }),
  ];
}

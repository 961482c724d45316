import { SoundRecorder } from '../../support/sound/sound-recorder.ts';
import { pitchesIn } from '../../support/sound/rising-tone.ts';
import { tone } from '../../support/sound/pcm.ts';
import { Agent } from '../../bench/rooms/agent.ts';
import type { Check } from '../check.ts';
import { FACE, SPEECH_RATE } from '../conversation.ts';
import { judgePitches } from '../judgement/leakage.ts';
import { judgeReports } from '../judgement/playback.ts';
import type { NewSession } from '../stage.ts';
import { inTime, within } from '../../stage/time-limit.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

/** Different in tone and length, so that everything shows whose it is. */
const TALKS = [
  { hertz: 440, seconds: 4, isCut: true },
  { hertz: 1000, seconds: 3, isCut: false },
] as const;
const START_MS = 20_000;

export const sessions: Check = {
  name: 'sessions',
  what: 'two sessions at once: each room has its own speech only, also when one is interrupted',
  async run(kit) {
    const worker = await kit.worker();
    const avatar = worker.tap.sent('register')[0]!.message.avatars[0] ?? FIRST_AVATAR.alias;
    const rooms: Room[] = [];
    try {
      for (const talk of TALKS) rooms.push(await enter(await kit.stage.open(avatar), talk));
      const audible = rooms.map(({ recorder }) => recorder.onset(FACE));
      for (const { agent, hertz, seconds } of rooms)
        await (
          await agent.say(tone(SPEECH_RATE, seconds * 1000, hertz), SPEECH_RATE)
        ).completion;
      await inTime(START_MS, 'speech in both rooms', Promise.all(audible));
      await rooms.find(({ isCut }) => isCut)!.agent.clear();
      await within(START_MS, 'a report in both rooms', () =>
        rooms.every(({ agent }) => agent.finished.length > 0),
      );
      await Promise.all(rooms.map(({ recorder }) => recorder.silence(FACE, 0.5)));
      return { problems: rooms.flatMap(problemsOf), facts: rooms.map(factsOf).join('; ') };
    } finally {
      for (const { id, agent, recorder } of rooms) {
        await kit.stage.end(id);
        await Promise.all([agent.leave(), recorder.leave()]);
      }
    }
  },
};

type Talk = (typeof TALKS)[number];
type Room = Talk & { id: string; agent: Agent; recorder: SoundRecorder };

async function enter({ id, room }: NewSession, talk: Talk): Promise<Room> {
  const [agent, recorder] = [new Agent(FACE), new SoundRecorder()];
  await agent.join(room.url, room.agent_token);
  await recorder.join(room.url, room.viewer_token);
  await within(START_MS, 'both faces are in their rooms', () => {
    const tracks = agent.room.remoteParticipants.get(FACE)?.trackPublications;
    return (tracks?.size ?? 0) >= 2;
  });
  return { ...talk, id, agent, recorder };
}

function problemsOf({ recorder, agent, hertz, seconds, isCut }: Room): string[] {
  const foreign = TALKS.find((talk) => talk.hertz !== hertz)!.hertz;
  return [
    ...judgePitches(pitchesIn(recorder.soundOf(FACE)), hertz, foreign),
    ...judgeReports([{ seconds, isCut }], agent.finished),
  ].map((problem) => `${hertz} Hz: ${problem}`);
}

const factsOf = ({ hertz, agent }: Room): string =>
  `${hertz} Hz to ${agent.finished[0]?.playback_position.toFixed(2)} s`;

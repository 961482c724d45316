import { TrackKind } from '@livekit/rtc-node';
import { newName } from '#shared/ids.ts';
import { Agent, type Finished } from '../bench/rooms/agent.ts';
import { AvatarViewer } from '../support/picture/avatar-viewer.ts';
import { risingTone, type Utterance } from '../support/sound/rising-tone.ts';
import type { PerformedRooms } from './performed-room.ts';

const AVATAR = 'troupe-avatar';
const RATE = 24_000;

/** An agent says a tone of so many seconds. Its viewer subscribes to the sound only after that. */
export async function hearsFirstWords(
  rooms: PerformedRooms,
  seconds: number,
): Promise<{ report: Finished; utterances: Utterance[] }> {
  const room = newName('room');
  const agent = await rooms.join(
    new Agent(AVATAR),
    await rooms.token(room, 'agent', { kind: 'agent' }),
  );
  const viewer = new AvatarViewer(AVATAR);
  await rooms.join(viewer, await rooms.token(room, 'viewer'), { autoSubscribe: false });
  rooms.perform(await rooms.token(room, AVATAR, { kind: 'agent', behalf: 'agent' }));
  await viewer.subscribe(TrackKind.KIND_VIDEO);

  const finished = agent.nextFinished();
  await agent.say(risingTone(RATE, seconds), RATE);
  await viewer.sees(3);
  await viewer.subscribe(TrackKind.KIND_AUDIO);
  const report = await finished;
  await viewer.hearsNothingFor(0.5);
  return { report, utterances: viewer.utterances };
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loudSeconds } from '../sound/loud-seconds.ts';
import { AvatarViewer } from '../picture/avatar-viewer.ts';
import { roomIn, type RunningExample } from './running-example.ts';

const PLUGIN_AVATAR = 'troupe-avatar-agent';
const SESSION_AVATAR = 'troupe-avatar';
const CALL_AVATAR = 'avatar_worker';
/** Sound of a call's greeting, which is longer. */
const HEARD_S = 1;
/** Codecs blur pauses. */
const BLUR_S = 0.4;
const MOVING = 15;

/** Measurements of a viewer of an example. */
export type Experience = { frames: number; mouthMoves: number; loudSeconds: number };

/** Examples that say hello.wav, by the way into their room. */
export const GREETERS: Record<
  string,
  { avatar: string; room: (example: RunningExample) => Promise<{ url: string; token: string }> }
> = {
  'livekit-agent-python': { avatar: PLUGIN_AVATAR, room: dispatchedRoom },
  'livekit-agent-node': { avatar: PLUGIN_AVATAR, room: dispatchedRoom },
  'pipecat-bot': { avatar: SESSION_AVATAR, room: (example) => example.printedRoom() },
  'any-tts': { avatar: SESSION_AVATAR, room: (example) => example.printedRoom() },
};

/** The media server sends agents only to rooms that are made after they have registered. */
async function dispatchedRoom(example: RunningExample) {
  await example.prints(/registered worker/);
  return example.newRoom();
}

/** Watches until the whole greeting was heard. */
export async function watchGreeting(name: string, example: RunningExample): Promise<Experience> {
  const { avatar, room } = GREETERS[name]!;
  const { url, token } = await room(example);
  const seconds = helloSeconds();
  const experience = await watch(avatar, { url, token }, seconds - BLUR_S);
  if (experience.loudSeconds > seconds + BLUR_S)
    throw new Error(`${name} said ${experience.loudSeconds} s instead of ${seconds} s`);
  return experience;
}

/** Starts a call as a page of the backend's application would. */
export async function watchCall(example: RunningExample): Promise<Experience> {
  await example.prints(/Uvicorn running/);
  const address = `http://127.0.0.1:${example.ports.app}/calls`;
  const call = (await (await fetch(address, { method: 'POST' })).json()) as { watch: string };
  return watch(CALL_AVATAR, roomIn(call.watch), HEARD_S);
}

async function watch(
  avatar: string,
  { url, token }: { url: string; token: string },
  seconds: number,
): Promise<Experience> {
  const viewer = new AvatarViewer(avatar);
  try {
    await viewer.join(url, token);
    await viewer.sees(10);
    await viewer.hearsSpeech(seconds);
    await viewer.hearsNothingFor(0.5);
    const { frames, mouthMoves, loudSeconds } = viewer;
    if (mouthMoves < MOVING) throw new Error(`its mouth moved ${mouthMoves} times only`);
    return { frames, mouthMoves, loudSeconds };
  } catch (cause) {
    const { frames, loudSeconds } = viewer;
    throw new Error(`saw ${frames} pictures and heard ${loudSeconds} s of ${seconds} s`, { cause });
  } finally {
    await viewer.leave();
  }
}

/** How much of hello.wav is louder than noise. */
function helloSeconds(): number {
  const wave = readFileSync(path.resolve('deploy/examples/hello.wav'));
  const samples = new Int16Array(new Uint8Array(wave.subarray(44)).buffer);
  return loudSeconds(samples, wave.readUInt32LE(24));
}

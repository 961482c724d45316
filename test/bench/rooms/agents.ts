/*
 * Agents of the measured rooms, in their own process: sending must not delay receiving, and all
 * rooms of a process share the SDK's network thread. Rooms are identified by their id.
 */
import { startMediaEngine } from '../../../workers/runtime/media-engine.ts';
import { Agent, type Finished } from './agent.ts';
import type { BenchRoom } from './rooms.ts';
import { answer } from '../rpc.ts';
import { babble, beeps } from './speech.ts';

startMediaEngine();

const SOUNDS = { babble, beeps };

export type Say = {
  id: string;
  sound: keyof typeof SOUNDS;
  ms: number;
  pieceMs?: number | undefined;
};

/** The usual rate of speech synthesisers. */
const RATE = 24_000;
const PLAIN_RATE = 48_000;

const agents = new Map<string, Agent>();
const sending = new Map<string, Promise<void>>();
const breathing = new Map<string, () => void>();

type Named = { id: string };
const agentOf = ({ id }: Named) => agents.get(id)!;

async function join({ id, url, agentToken, avatar }: BenchRoom): Promise<void> {
  const agent = new Agent(avatar);
  await agent.join(url, agentToken);
  agents.set(id, agent);
}

async function leave({ id }: Named): Promise<void> {
  breathing.get(id)?.();
  await agents.get(id)?.leave();
  agents.delete(id);
  breathing.delete(id);
  sending.delete(id);
}

/**
 * Responds with the time of the first byte, by the machine's clock; `untilSent` responds after the
 * last byte.
 */
async function say({ id, sound, ms, pieceMs }: Say): Promise<number> {
  const { startedMs, completion } = await agents
    .get(id)!
    .say(SOUNDS[sound](RATE, ms), RATE, pieceMs);
  sending.set(id, completion);
  return startedMs;
}

const untilSent = ({ id }: Named): Promise<void> | undefined => sending.get(id);

/** Responds with the time of the call, by the machine's clock. */
const clear = (room: Named): Promise<number> => agentOf(room).clear();
const finished = (room: Named): Promise<Finished> => agentOf(room).nextFinished();

async function openMouth({ id }: Named): Promise<void> {
  const agent = agents.get(id)!;
  await agent.openMouth();
  breathing.set(id, agent.breathe());
}

async function sayPlainly({ id, sound, ms }: Say): Promise<number> {
  const utterance = await agents.get(id)!.sayPlainly(SOUNDS[sound](PLAIN_RATE, ms));
  sending.set(id, utterance.completion);
  return utterance.startedMs;
}

answer({ join, leave, say, untilSent, clear, finished, openMouth, sayPlainly });

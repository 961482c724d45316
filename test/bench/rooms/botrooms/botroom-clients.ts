/* Clients of the measured botrooms, in their own process. Rooms are identified by their id. */
import { HELLO_VERSION } from '#protocol/botroom/hello.ts';
import { BotroomClient } from '../../../support/botrooms/botroom-client.ts';
import { pause } from '../../pause.ts';
import { answer } from '../../rpc.ts';
import { babble } from '../speech.ts';

/** The usual rate of Pipecat's speech. */
const RATE = 16_000;
/** Sent at once: the client is a second ahead. */
const SHORT_MS = 900;
const LONG_MS = 3000;
/** The end of `LONG_MS` has been sent by then. */
const CLEAR_AFTER_MS = 2200;

type Named = { id: string };
/** A picture that does not change is not sent again to a client that said hello. */
export type ClientView = { fps: number; pictureGapMs: number; soundGapMs: number };

/** Takes long to compute: about a second for half a minute. */
const speeches = new Map<number, Int16Array>();
function speechOf(ms: number): Int16Array {
  const speech = speeches.get(ms) ?? babble(RATE, ms);
  speeches.set(ms, speech);
  return speech;
}

const clients = new Map<string, BotroomClient>();
const clientOf = ({ id }: Named) => clients.get(id)!;

async function join({ id, url, token }: Named & { url: string; token: string }): Promise<void> {
  const client = new BotroomClient(url, token);
  clients.set(id, client);
  await client.ready();
  client.send('hello', { version: HELLO_VERSION, wants: [] });
}

async function leave({ id }: Named): Promise<void> {
  await clients.get(id)?.leave();
  clients.delete(id);
}

/** From the first audio record until the first loud one comes back. */
async function speechLatency(room: Named): Promise<number> {
  const client = clientOf(room);
  client.forget();
  const speech = speechOf(SHORT_MS);
  const from = performance.now();
  const delivery = client.speak(speech, RATE);
  await client.untilLoud(from);
  await delivery;
  const heardAt = client.firstLoudAt;
  await client.untilSilent();
  return heardAt - from;
}

/** From the interruption until the last loud sound arrives. */
async function clearLatency(room: Named): Promise<number> {
  const client = clientOf(room);
  client.forget();
  const delivery = client.speak(speechOf(LONG_MS), RATE);
  await client.untilLoud();
  await delivery;
  const clearAt = client.firstLoudAt + CLEAR_AFTER_MS + Math.random() * 100;
  await pause(Math.max(0, clearAt - performance.now()));
  const from = performance.now();
  client.send('interrupt');
  await client.untilSilent();
  return Math.max(0, client.lastLoudAt - from);
}

/** Resolves when the first of it is heard. */
async function speak({ id, seconds }: Named & { seconds: number }): Promise<void> {
  const client = clientOf({ id });
  client.forget();
  // A client that leaves meanwhile sends no more.
  void client.speak(speechOf(seconds * 1000), RATE);
  await client.untilLoud();
}

async function watch({ id, seconds }: Named & { seconds: number }): Promise<ClientView> {
  const client = clientOf({ id });
  client.forget();
  const from = performance.now();
  await pause(seconds * 1000);
  return {
    fps: client.pictures.length / ((performance.now() - from) / 1000),
    pictureGapMs: client.longestGapMs(from, client.pictures),
    soundGapMs: client.longestGapMs(from, client.sound),
  };
}

answer({ join, leave, speechLatency, clearLatency, speak, watch });

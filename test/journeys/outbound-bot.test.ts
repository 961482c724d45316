import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readWave } from '../../workers/studio/wave-file.ts';
import { PipecatBot } from '../support/agents/pipecat-bot.ts';
import { isPipecatThere, python } from '../support/agents/pipecat-pipeline.ts';
import { PlainAgent } from '../support/agents/plain-agent.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import { Witness } from '../support/picture/witness.ts';
import { AgentProcess } from '../support/processes/agent-process.ts';
import { freePort } from '../support/processes/free-port.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { joined } from '../support/sound/pcm.ts';
import { RATE, risingTone, utterancesIn } from '../support/sound/rising-tone.ts';
import { until } from '../support/until.ts';

const BOT = path.join(import.meta.dirname, '../clients/pipecat/voice_bot.py');
const VOICE = path.join(import.meta.dirname, '../fixtures/lipsync/audio/hibari-heart_en_00.flac');
/** Sample rate of the voice, and the default of Pipecat's bots. */
const BOT_RATE = 24_000;
const TONE_S = 3;
const VOICE_S = 4;
/** When the bot interrupts itself, and the tolerance for what is on its way. */
const CUT_S = 2;
const CUT_WITHIN_S = 0.5;

let service: RunningService;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  service = await startService({ env: NO_AGENTS });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => service?.stop());

type Session = {
  id: string;
  room?: { url: string; name: string; viewer_token: string };
  status: { type: string };
  end_reason?: string;
  end_detail?: string;
};

/** A tone, whose every part reveals its position, a pause, and a voice. */
function speech(): Int16Array {
  const { pcm, sampleRate } = readWave(VOICE);
  expect(sampleRate).toBe(BOT_RATE);
  const voice = new Int16Array(new Uint8Array(pcm).buffer).slice(0, VOICE_S * BOT_RATE);
  return joined(risingTone(BOT_RATE, TONE_S), new Int16Array(BOT_RATE), voice);
}

async function startBot() {
  const folder = await mkdtemp(path.join(tmpdir(), 'outbound-'));
  closing.push(() => rm(folder, { recursive: true }));
  const port = await freePort();
  const files = { SPEECH: path.join(folder, 'speech.pcm'), HEARD: path.join(folder, 'heard.pcm') };
  await writeFile(files.SPEECH, new Uint8Array(speech().buffer));
  const bot = new AgentProcess(python, [BOT], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: String(port),
      RATE: String(BOT_RATE),
      ...files,
    },
  });
  closing.push(() => bot.stop());
  await bot.logs(/listening/);
  return { bot, url: `ws://127.0.0.1:${port}`, ...files };
}

async function openSession(url: string) {
  const body = { transport: 'botroom', avatar_id: 'nora', url };
  const session = await service.make<Session>('/v1/sessions', body);
  closing.push(() => service.endSessions());
  return { id: session.id, room: session.room! };
}

const find = async (id: string): Promise<Session> =>
  (await (await service.api(`/v1/sessions/${id}`)).json()) as Session;

async function viewer({ url, viewer_token }: NonNullable<Session['room']>): Promise<Witness> {
  const witness = new Witness('troupe-avatar');
  closing.push(() => witness.leave());
  await witness.join(url, viewer_token);
  return witness;
}

/** A second of sound below the threshold of speech; an encoder does not pause for it. */
const hum = (): Int16Array =>
  Int16Array.from({ length: RATE }, (_, i) =>
    Math.round(100 * Math.sin((2 * Math.PI * 120 * i) / RATE)),
  );

/** Another person in the room, with a microphone. */
async function speaker({ url, name }: NonNullable<Session['room']>): Promise<PlainAgent> {
  const { apiKey, apiSecret } = service.mediaServer;
  const token = new AccessToken(apiKey, apiSecret, { identity: 'speaker' });
  token.addGrant({ roomJoin: true, room: name });
  const person = new PlainAgent();
  closing.push(() => person.leave());
  await person.join(url, await token.toJwt());
  return person;
}

const withPython = describe.skipIf(!isPipecatThere); // Python is optional outside CI.

withPython('a Pipecat websocket bot, unmodified', () => {
  test('gets a face that says what it says, falls silent with it, and brings it the visitor', async (context) => {
    const host = new HostWatch(context);
    const { bot, url, HEARD } = await startBot();
    const { id, room } = await openSession(url);
    const witness = await viewer(room);
    await bot.next('ready');
    await witness.sees(25);

    await bot.next('said');
    const moves = witness.mouthMoves;
    const [whole] = witness.utterances;
    witness.forget();
    await bot.next('interrupted');
    const interruptedAt = performance.now();
    await witness.hearsNothingFor(1);
    const silentAfterMs = performance.now() - interruptedAt - 1000;
    const lastHeard = witness.lastHeard();

    const person = await speaker(room);
    await person.publishToListener();
    // A microphone is on, and hears a room, before its owner speaks.
    await person.say(joined(hum(), risingTone(RATE, TONE_S)));
    const heard = await bot.next<{ rate: number; channels: number; bytes: number }>('heard');
    const microphone = utterancesIn(upsampled(await readFile(HEARD)));

    // Most of the frames of a voice have another mouth than the one before.
    expect(moves).toBeGreaterThan(VOICE_S * 25 * 0.4);
    console.log(`silent ${Math.round(silentAfterMs)} ms after the interruption`);
    expect(heard).toMatchObject({ rate: 16_000, channels: 1, bytes: 640 });
    expect(await find(id)).toMatchObject({ status: { type: 'ongoing' } });

    await service.endSessions();
    await bot.next('left');
    host.judgeTime(() => {
      const tone = {
        seconds: expect.closeTo(TONE_S, 1),
        first: expect.closeTo(0, 1),
        last: expect.closeTo(TONE_S, 1),
      };
      expect(whole).toEqual(tone);
      expect(microphone).toEqual([tone]);
      expect(Math.abs(lastHeard! - CUT_S)).toBeLessThan(CUT_WITHIN_S);
    });
  });
});

test('a bot that refuses ends the session, and its owner learns why', async () => {
  const bot = await PipecatBot.open();
  closing.push(() => bot.close());
  bot.refusal = { status: 401 };
  const { id, room } = await openSession(bot.url);
  await viewer(room);

  await until(async () => (await find(id)).status.type === 'completed');

  expect(await find(id)).toMatchObject({
    end_reason: 'room_refused',
    end_detail: `127.0.0.1:${bot.port} refused the token`,
  });
});

test('a bot that hangs up ends the session after the usual grace', async () => {
  const bot = await PipecatBot.open();
  closing.push(() => bot.close());
  const { id, room } = await openSession(bot.url);
  await viewer(room);
  await until(() => bot.frames.length > 0);

  bot.socket.close(1000);
  await until(async () => (await find(id)).status.type === 'completed');

  expect(await find(id)).toMatchObject({ end_reason: 'agent_left' });
  expect(bot.connections).toHaveLength(1);
});

/** From 16 to 48 kHz. */
function upsampled(pcm: Buffer): Int16Array {
  const samples = new Int16Array(new Uint8Array(pcm).buffer);
  const whole = new Int16Array(samples.length * 3);
  for (let i = 0; i < whole.length; i++) {
    const at = Math.floor(i / 3);
    const [a, b] = [samples[at]!, samples[at + 1] ?? 0];
    whole[i] = Math.round(a + ((b - a) * (i % 3)) / 3);
  }
  return whole;
}

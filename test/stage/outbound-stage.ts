/* Avatars that the service brings to bots of others, which listen at an address of their own. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readWave } from '../../workers/studio/wave-file.ts';
import { python } from '../support/agents/pipecat-pipeline.ts';
import { PlainAgent } from '../support/agents/plain-agent.ts';
import { AvatarViewer } from '../support/picture/avatar-viewer.ts';
import { AgentProcess } from '../support/processes/agent-process.ts';
import { freePort } from '../support/processes/free-port.ts';
import type { RunningService } from '../support/processes/service.ts';
import { joined } from '../support/sound/pcm.ts';
import { RATE, risingTone, utterancesIn, type Utterance } from '../support/sound/rising-tone.ts';
import { roomToken } from './room-token.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

const BOT = path.join(import.meta.dirname, '../clients/pipecat/voice_bot.py');
const VOICE = path.join(import.meta.dirname, '../fixtures/lipsync/audio/hibari-heart_en_00.flac');
/** Sample rate of the voice, and the default of Pipecat's bots. */
const BOT_RATE = 24_000;
/** Length of the tones that bot and visitor say. */
export const TONE_S = 3;
export const VOICE_S = 4;
/** When the bot interrupts itself. */
export const CUT_S = 2;

export type OutboundSession = {
  id: string;
  room?: { url: string; name: string; viewer_token: string };
  status: { type: string };
  end_reason?: string;
  end_detail?: string;
};

export type OutboundConversation = {
  id: string;
  /** Frames with another mouth than the one before, while the bot said a tone and a voice. */
  mouthMoves: number;
  /** The bot's tone at a viewer, and the last second of the tone that it cut. */
  tone: Utterance | undefined;
  lastHeard: number;
  /** The visitor's tone at the bot. */
  microphone: Utterance[];
  record: { rate: number; channels: number; bytes: number };
};

/** Call `empty` after each test. The owner stops the service. */
export class OutboundStage {
  readonly #service: RunningService;
  readonly #closing: (() => Promise<unknown>)[] = [];

  constructor(service: RunningService) {
    this.#service = service;
  }

  async openSession(url: string): Promise<OutboundSession> {
    const body = { transport: 'botroom', avatar_id: FIRST_AVATAR.alias, url };
    const session = await this.#service.make<OutboundSession>('/v1/sessions', body);
    this.closes(() => this.#service.endSessions());
    return session;
  }

  async find(id: string): Promise<OutboundSession> {
    return (await (await this.#service.api(`/v1/sessions/${id}`)).json()) as OutboundSession;
  }

  async watch({ room }: OutboundSession): Promise<AvatarViewer> {
    const viewer = new AvatarViewer('troupe-avatar');
    this.closes(() => viewer.leave());
    await viewer.join(room!.url, room!.viewer_token);
    return viewer;
  }

  /** A Pipecat bot says a tone and a voice, interrupts a long tone, and hears a visitor. */
  async converse(): Promise<OutboundConversation> {
    const { bot, url, HEARD } = await this.#startBot();
    const session = await this.openSession(url);
    const viewer = await this.watch(session);
    await bot.next('ready');
    await viewer.sees(25);

    await bot.next('said');
    const { mouthMoves } = viewer;
    const [tone] = viewer.utterances;
    viewer.forget();
    await bot.next('interrupted');
    await viewer.hearsNothingFor(1);
    const lastHeard = viewer.lastHeard()!;

    const visitor = await this.#visit(session);
    await visitor.publishToListener();
    // A microphone is on, and hears a room, before its owner speaks.
    await visitor.say(joined(hum(), risingTone(RATE, TONE_S)));
    const record = await bot.next<OutboundConversation['record']>('heard');
    const microphone = utterancesIn(upsampled(await readFile(HEARD)));
    const { status } = await this.find(session.id);
    if (status.type !== 'ongoing') throw new Error(`the session is ${status.type}`);

    await this.#service.endSessions();
    await bot.next('left');
    return { id: session.id, mouthMoves, tone, lastHeard, microphone, record };
  }

  closes(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  async empty(): Promise<void> {
    for (const close of this.#closing.splice(0).toReversed()) await close();
  }

  async #startBot() {
    const folder = await mkdtemp(path.join(tmpdir(), 'outbound-'));
    this.closes(() => rm(folder, { recursive: true }));
    const port = await freePort();
    const files = {
      SPEECH: path.join(folder, 'speech.pcm'),
      HEARD: path.join(folder, 'heard.pcm'),
    };
    await writeFile(files.SPEECH, new Uint8Array(speech().buffer));
    const bot = new AgentProcess(python, [BOT], {
      cwd: folder,
      env: {
        PORT: String(port),
        RATE: String(BOT_RATE),
        ...files,
      },
    });
    this.closes(() => bot.stop());
    await bot.logs(/listening/);
    return { bot, url: `ws://127.0.0.1:${port}`, ...files };
  }

  /** Another person in the room, with a microphone. */
  async #visit({ room }: OutboundSession): Promise<PlainAgent> {
    const token = roomToken(this.#service.mediaServer, room!.name, 'speaker');
    const visitor = new PlainAgent();
    this.closes(() => visitor.leave());
    await visitor.join(room!.url, await token);
    return visitor;
  }
}

/** A tone, whose every part reveals its position, a pause, and a voice. */
function speech(): Int16Array {
  const { pcm, sampleRate } = readWave(VOICE);
  if (sampleRate !== BOT_RATE) throw new Error(`the voice has ${sampleRate} Hz, not ${BOT_RATE}`);
  const voice = new Int16Array(new Uint8Array(pcm).buffer).slice(0, VOICE_S * BOT_RATE);
  return joined(risingTone(BOT_RATE, TONE_S), new Int16Array(BOT_RATE), voice);
}

/** A second of sound below the threshold of speech; an encoder does not pause for it. */
const hum = (): Int16Array =>
  Int16Array.from({ length: RATE }, (_, i) =>
    Math.round(100 * Math.sin((2 * Math.PI * 120 * i) / RATE)),
  );

/** From 16 to 48 kHz. */
function upsampled(pcm: Buffer): Int16Array {
  const samples = new Int16Array(new Uint8Array(pcm).buffer);
  const output = new Int16Array(samples.length * 3);
  for (let i = 0; i < output.length; i++) {
    const at = Math.floor(i / 3);
    const [a, b] = [samples[at]!, samples[at + 1] ?? 0];
    output[i] = Math.round(a + ((b - a) * (i % 3)) / 3);
  }
  return output;
}

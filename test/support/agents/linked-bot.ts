import { afterEach, beforeEach, expect } from 'vitest';
import type { Resolve } from '#shared/network/address-policy.ts';
import { createLog } from '#shared/log.ts';
import type { PipecatFrame } from '#protocol/pipecat/frames.ts';
import { PipecatLink } from '../../../workers/avatar/transport/pipecat/pipecat-link.ts';
import { pcm, tone } from '../sound/pcm.ts';
import { TestClock } from '../test-clock.ts';
import { until } from '../until.ts';
import { PipecatBot } from './pipecat-bot.ts';

const log = createLog({ name: 'test', level: 'silent' });
const LOOPBACK = '127.0.0.0/8';

/** Calls of a link to its listener, in order. */
type LinkEvent =
  | { begin: { sampleRate: number; channels: number } }
  | { bytes: number }
  | 'end'
  | 'clear'
  | { isHere: boolean };

/** `networks` null: the bot is the operator's. */
type Dialled = { url?: string; token?: string; networks?: string | null; resolve?: Resolve };

/** A bot in this process and links to it, for one test file. Closes both after each test. */
export class BotStage {
  bot!: PipecatBot;
  clock!: TestClock;
  #links: PipecatLink[] = [];

  constructor() {
    beforeEach(async () => {
      this.bot = await PipecatBot.open();
      this.clock = new TestClock();
      this.#links = [];
    });
    afterEach(async () => {
      await Promise.all(this.#links.map((link) => link.close()));
      await this.bot.close();
      expect(this.clock.waiting).toBe(0);
    });
  }

  /** A link that has not dialled yet. */
  async link({ networks = LOOPBACK, resolve, ...source }: Dialled = {}) {
    const events: LinkEvent[] = [];
    const link = new PipecatLink({
      source: { url: this.bot.url, ...source, ...(networks !== null && { networks }) },
      clock: this.clock,
      log,
      ...(resolve && { resolve }),
    });
    this.#links.push(link);
    await link.open({
      begin: (_, format) => events.push({ begin: format }),
      chunk: (_, bytes) => events.push({ bytes: bytes.length }),
      end: () => events.push('end'),
      clear: () => events.push('clear'),
      listens: () => {},
      present: (isHere) => events.push({ isHere }),
    });
    const presences = () =>
      events.flatMap((event) =>
        typeof event === 'object' && 'isHere' in event ? [event.isHere] : [],
      );
    const chunks = () =>
      events.filter((event) => typeof event === 'object' && 'bytes' in event).length;
    return { link, events, presences, chunks };
  }

  async dialling(source?: Dialled) {
    const parts = await this.link(source);
    parts.link.shown();
    parts.link.visited(true);
    return parts;
  }

  /** The bot has got the link's first message. */
  async connected(source?: Dialled) {
    const parts = await this.dialling(source);
    await until(() => this.bot.frames.length > 0);
    return parts;
  }
}

export const audio = (ms: number): PipecatFrame => ({
  type: 'audio',
  audio: pcm(tone(24_000, ms)),
  sampleRate: 24_000,
  channels: 1,
});

export const rtvi = (type: string): PipecatFrame => ({
  type: 'message',
  data: JSON.stringify({ label: 'rtvi-ai', type }),
});

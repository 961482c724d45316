/* What a visitor of a room link can make the owner of an agent pay for. */
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { CallBrief, Passages } from '#protocol/call-brief.ts';
import { Dialogue } from '../../workers/agent/dialogue/dialogue.ts';
import { mute } from '../../workers/agent/voices/voice.ts';
import { briefWith } from '../support/agents/call-brief.ts';
import { MemoryAvatar } from '../support/agents/memory-avatar.ts';
import { OpenAiServer, textsIn, type ChatRequest } from '../support/agents/openai-server.ts';
import { TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });

let model: OpenAiServer;
let dialogue: Dialogue;
beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(async () => {
  model = await OpenAiServer.open({
    keys: ['key'],
    answer: (request) => (isSummary(request) ? 'They talked about lamps.' : 'Yes.'),
  });
});
afterEach(async () => {
  await dialogue.close();
  await model.close();
});

const isSummary = (request: ChatRequest): boolean => textsIn(request).includes('Summarise it');

/** Requests for answers. */
const questions = (): ChatRequest[] => model.chats.filter((request) => !isSummary(request));

const charactersIn = (request: ChatRequest): number => textsIn(request).length;

async function open(
  facts: Partial<CallBrief> = {},
  passages: Passages['passages'] = [],
): Promise<void> {
  dialogue = new Dialogue({
    brief: briefWith({
      llm: { url: model.url, key: 'key', model: 'm', temperature: null },
      ...facts,
    }),
    control: { passages: async () => passages },
    lines: { add: () => {} },
    room: { avatar: new MemoryAvatar() },
    voice: mute,
    recognizer: null,
    clock: new TestClock(),
    log,
  });
  await dialogue.start();
}

/** Types a text, and waits until the model is asked. */
async function ask(text: string): Promise<void> {
  const count = questions().length;
  dialogue.ask(text);
  await until(() => questions().length > count);
}

/** What a visitor may type at most. */
const longText = (at: number): string => `${at} `.padEnd(4_000, 'lamps ');

describe('a visitor who types as much as possible', () => {
  test('makes no request larger than the first ones', async () => {
    await open();

    for (let at = 0; at < 34; at += 1) await ask(longText(at));

    const sizes = questions().map(charactersIn);
    expect(sizes).toHaveLength(34);
    expect(Math.max(...sizes)).toBeLessThan(8_000 * 3);
    expect(textsIn(questions().at(-1)!)).toContain(longText(33));
  });

  test('makes no large request with a long call that another worker takes over', async () => {
    const lines = Array.from({ length: 200 }, (_, at) => ({
      sender: at % 2 === 0 ? ('user' as const) : ('ai' as const),
      text: longText(at),
    }));
    await open({ lines });

    await ask('And now?');

    expect(charactersIn(questions()[0]!)).toBeLessThan(8_000 * 3);
    await until(() => model.chats.some(isSummary));
    expect(charactersIn(model.chats.find(isSummary)!)).toBeLessThan(8_000 * 3);
  });

  test('does not have passages of files sent again with later questions', async () => {
    const passages = Array.from({ length: 5 }, (_, at) => ({
      source: `file ${at}`,
      text: 'PASSAGE '.repeat(150),
    }));
    await open({ hasKnowledge: true }, passages);

    for (let at = 0; at < 6; at += 1) await ask(`Question ${at}?`);

    for (const request of questions()) {
      const blocks = request.messages.filter((message) =>
        textsIn({ ...request, messages: [message] }).includes('<passages '),
      );
      expect(blocks.filter(({ role }) => role === 'user')).toHaveLength(1);
    }
    expect(charactersIn(questions().at(-1)!)).toBeLessThan(8_000 * 3);
  });
});

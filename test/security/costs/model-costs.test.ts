/* Costs that a visitor of a room link can cause the owner of an agent. */
import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { estimateTokens } from '#shared/token-estimate.ts';
import type { CallBrief, CallSpending, Passages } from '#protocol/call-brief.ts';
import { Dialogue } from '../../../workers/agent/dialogue/dialogue.ts';
import { mute, type Voice } from '../../../workers/agent/voices/voice.ts';
import { briefWith } from '../../support/agents/call-brief.ts';
import { noBudget } from '../../support/agents/no-budget.ts';
import { MemoryAvatar } from '../../support/agents/memory-avatar.ts';
import { OpenAiServer, textsIn, type ChatRequest } from '../../support/agents/openai-server.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });

let model: OpenAiServer;
let dialogue: Dialogue;
/** Counted by the dialogue. */
let spent: { modelTokens: number; speechCharacters: number };
let answer: string;

function count({ modelTokens = 0, speechCharacters = 0 }: Partial<CallSpending>): void {
  spent.modelTokens += modelTokens;
  spent.speechCharacters += speechCharacters;
}
beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(async () => {
  answer = 'Yes.';
  model = await OpenAiServer.open({
    keys: ['key'],
    answer: (request) => (isSummary(request) ? 'They talked about lamps.' : answer),
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

type Sources = { passages?: Passages['passages']; voice?: Voice };

async function open(
  facts: Partial<CallBrief> = {},
  { passages = [], voice = mute }: Sources = {},
): Promise<void> {
  spent = { modelTokens: 0, speechCharacters: 0 };
  dialogue = new Dialogue({
    brief: briefWith({
      llm: { url: model.url, key: 'key', model: 'm', temperature: null },
      ...facts,
    }),
    control: { passages: async () => passages, reportPictureRefusal: async () => {} },
    lines: { add: () => {} },
    room: { avatar: new MemoryAvatar() },
    speech: { voice, hearing: null },
    budget: { ...noBudget, add: count },
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

/** The longest text that a visitor may type. */
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
    await open({ hasKnowledge: true }, { passages });

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

describe('the costs of a call', () => {
  test('include all that is sent to the model, and all that it answers', async () => {
    await open({ systemPrompt: 'Sell lamps.' });
    answer = 'It costs five euros. '.repeat(20);

    await ask('How much?');
    await until(() => spent.speechCharacters > 300);

    const [request] = questions();
    const tokens = estimateTokens(textsIn(request!)) + estimateTokens(answer);
    expect(spent.modelTokens).toBeGreaterThanOrEqual(tokens);
    expect(spent.modelTokens).toBeLessThan(tokens * 1.5 + 200);
  });

  test('include summaries', async () => {
    await open();
    for (let at = 0; at < 10; at += 1) await ask(longText(at));
    await until(() => model.chats.some(isSummary));

    const tokens = model.chats.map((request) => estimateTokens(textsIn(request)));
    expect(spent.modelTokens).toBeGreaterThanOrEqual(tokens.reduce((sum, each) => sum + each, 0));
  });

  test('include each attempt of a model that fails', async () => {
    await open();
    model.chatStatus = 503;

    dialogue.ask('How much?');
    await until(() => questions().length === 2);

    const tokens = estimateTokens(textsIn(questions()[0]!));
    expect(spent.modelTokens).toBeGreaterThanOrEqual(2 * tokens);
    expect(spent.modelTokens).toBeLessThan(2 * (tokens * 1.5 + 200));
  });

  test('are bounded when the model answers without an end', async () => {
    await open();
    answer = 'And so it goes on and on. '.repeat(4_000);

    await ask('How much?');
    await until(() => spent.speechCharacters > 5_700);
    await new Promise((resolve) => setImmediate(resolve));

    expect(spent.speechCharacters).toBeLessThan(6_100);
  });

  test('are none of the model’s where there is no model', async () => {
    await open({ llm: null, systemPrompt: 'Lamps cost five euros.' });

    dialogue.ask('How much do lamps cost?');
    await until(() => spent.speechCharacters > 0);

    expect(spent.modelTokens).toBe(0);
  });
});

import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OllamaServer } from '../../../support/dialogue/ollama-server.ts';
import { openCallStage } from '../../../support/dialogue/call-stage.ts';
import { until } from '../../../support/until.ts';

const QUESTION = 'What is two and two?';
const PHRASE = 'One moment, I am thinking.';

let server: OllamaServer;
let stage: Awaited<ReturnType<typeof openCallStage>>;

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(async () => {
  server = await OllamaServer.open();
  server.models = { 'plain:latest': { capabilities: ['completion'] } };
});
afterEach(async () => {
  await stage.close();
  await server.close();
});

const open = async (patienceMs?: number) => {
  const facts = { greeting: 'Hi.', llm: server.llm('plain') };
  stage = await openCallStage(facts, patienceMs === undefined ? {} : { patienceMs });
};

const texts = (): string[] => stage.lines.map(({ text }) => text);

const asked = (times: number): Promise<void> =>
  until(() => server.askedAt('/v1/chat/completions').length === times);

describe('a model of this machine', () => {
  test('that needs eight seconds to start is waited for, with a phrase after two', async () => {
    const started = Promise.withResolvers<void>();
    server.coldStart = started.promise;
    await open(2_000);
    stage.dialogue.ask(QUESTION);
    await asked(1);
    await stage.clock.pass(2_000);
    await until(() => stage.sentences.length === 1);
    expect(stage.sentences).toEqual([PHRASE]);

    await stage.clock.pass(6_000);
    expect(stage.spokenMs(0)).toBeGreaterThan(1_000);
    started.resolve();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(stage.sentences).toEqual([PHRASE, 'It is four.']);
    expect(texts()).toEqual([QUESTION, `${PHRASE}\n\nIt is four.`]);
    // That of the answer, not of the phrase.
    expect(stage.lines[1]?.latency?.firstTokenMs).toBeGreaterThanOrEqual(8_000);

    stage.dialogue.ask(QUESTION);
    await asked(2);
    expect(JSON.stringify(server.askedAt('/v1/chat/completions')[1])).not.toContain(PHRASE);
    await stage.passUntil(() => stage.lines.length === 4);
  });

  test('that was removed is apologised for, and answers once it is back', async () => {
    await open();
    const { models } = server;
    server.models = {};
    stage.dialogue.ask(QUESTION);
    await stage.passUntil(() => stage.lines.length === 2);
    expect(texts()[1]).toContain('Sorry');

    server.models = models;
    stage.dialogue.ask(QUESTION);
    await stage.passUntil(() => stage.lines.length === 4);
    expect(texts()[3]).toBe('It is four.');
  });

  test('that answers without streaming is spoken', async () => {
    server.streams = false;
    await open();
    stage.dialogue.ask(QUESTION);
    await stage.passUntil(() => stage.lines.length === 2);

    expect(texts()).toEqual([QUESTION, 'It is four.']);
    expect(server.askedAt('/v1/chat/completions')[0]).toMatchObject({ stream: true });
  });
});

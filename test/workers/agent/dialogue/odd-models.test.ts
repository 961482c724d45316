import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openCallStage } from '../../../support/dialogue/call-stage.ts';
import { HeldModel } from '../../../support/dialogue/held-model.ts';

let model: HeldModel;
let stage: Awaited<ReturnType<typeof openCallStage>>;

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(async () => {
  model = await HeldModel.open();
  stage = await openCallStage({ greeting: 'Hi.', llm: model.llm });
});
afterEach(async () => {
  await stage.close();
  await model.close();
});

const texts = (): string[] => stage.lines.map(({ text }) => text);

describe('a model', () => {
  test.each([13, 40])('that pauses for %i s is spoken to the end', async (pauseSeconds) => {
    stage.dialogue.ask('What do you sell?');
    await model.asked(1);
    const from = stage.clock.elapsed();
    model.say('We sell lamps. ', 'Wait, ');
    await stage.passUntil(() => stage.spokenMs(from) > 1_000);
    await stage.clock.pass(pauseSeconds * 1_000);

    model.say('I look. ', 'And also sails.');
    model.end();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(texts()).toEqual(['What do you sell?', 'We sell lamps. Wait, I look. And also sails.']);
    // Ten characters per second.
    expect(stage.spokenMs(from)).toBeGreaterThan(4_000);
  });

  test.each([
    ['nothing', []],
    ['only line breaks', ['\n', '\n']],
    ['only reasoning', ['<thinking>I count', ' and count</thinking>']],
    ['reasoning without an end', ['[THINK]I count', ' and count']],
    ['an emoji', ['\u{1f44d}']],
  ])('that answers %s is asked once more, then the agent apologises', async (_, pieces) => {
    stage.dialogue.ask('What is two and two?');
    await model.asked(1);
    model.say(...pieces);
    model.end();
    await model.asked(2);
    model.say(...pieces);
    model.end();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(model.requests).toBe(2);
    expect(texts().at(-1)).toContain('Sorry');
    expect(stage.spokenMs(0)).toBeGreaterThan(1_000);
  });

  test('that answers the second time needs no apology', async () => {
    stage.dialogue.ask('What is two and two?');
    await model.asked(1);
    model.end();
    await model.asked(2);
    model.say('It is four.');
    model.end();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(texts()).toEqual(['What is two and two?', 'It is four.']);
  });

  test.each([
    ['<thinking>I count on.</thinking>'],
    [
      '<|channel|>analysis<|message|>I count on.<|end|><|start|>assistant<|channel|>final<|message|>',
    ],
    ['◁THINK▷I <think>count</think> on.◁/THINK▷'],
  ])('that reasons in its text as %j is not heard reasoning', async (reasoning) => {
    stage.dialogue.ask('What is two and two?');
    await model.asked(1);
    const from = stage.clock.elapsed();
    model.say(...Array.from(`${reasoning}It is four.`));
    model.end();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(texts()).toEqual(['What is two and two?', 'It is four.']);
    expect(stage.spokenMs(from)).toBeCloseTo(1_100, -2);
  });
});

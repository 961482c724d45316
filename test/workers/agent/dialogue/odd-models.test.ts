import { initializeLogger } from '@livekit/agents';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openCallStage } from '../../../support/dialogue/call-stage.ts';
import { HeldModel } from '../../../support/dialogue/held-model.ts';
import { settle } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

/** A timer of the framework, which has no clock to pass in. */
type HeldTimer = { ms: number; run: () => void };

const LONG_MS = 5_000;

let timers: Set<HeldTimer>;
let model: HeldModel;
let stage: Awaited<ReturnType<typeof openCallStage>>;

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(async () => {
  timers = new Set();
  const { setTimeout, clearTimeout } = globalThis;
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => {
    if (ms < LONG_MS) return setTimeout(run, ms);
    const timer = { ms, run };
    timers.add(timer);
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: HeldTimer | NodeJS.Timeout) => {
    if (!timers.delete(timer as HeldTimer)) clearTimeout(timer as NodeJS.Timeout);
  });
  model = await HeldModel.open();
  stage = await openCallStage({ greeting: 'Hi.', llm: model.llm });
});
afterEach(async () => {
  await stage.close();
  await model.close();
  vi.unstubAllGlobals();
});

/** Lets time pass for everything. */
async function pause(ms: number): Promise<void> {
  await stage.clock.pass(ms);
  for (const timer of timers) if (timer.ms <= ms && timers.delete(timer)) timer.run();
  await settle();
}

const texts = (): string[] => stage.lines.map(({ text }) => text);

describe('a model', () => {
  test.each([13, 40])('that pauses for %i s is spoken to the end', async (pauseSeconds) => {
    stage.dialogue.ask('What do you sell?');
    await model.asked(1);
    const from = stage.clock.elapsed();
    model.say('We sell lamps. ', 'Wait, ');
    await stage.passUntil(() => stage.spokenMs(from) > 1_000);
    await pause(pauseSeconds * 1_000);

    model.say('I look. ', 'And also sails.');
    model.end();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(texts()).toEqual(['What do you sell?', 'We sell lamps. Wait, I look. And also sails.']);
    // Ten characters per second.
    expect(stage.spokenMs(from)).toBeGreaterThan(4_000);
  });

  test('that reasons for a minute before it answers is heard', async () => {
    stage.dialogue.ask('What do you sell?');
    await model.asked(1);
    model.say('<think>', 'Lamps, I think.');
    await until(() => timers.size > 0);
    await pause(60_000);

    model.say('</think>', 'We sell lamps.');
    model.end();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(texts()).toEqual(['What do you sell?', 'We sell lamps.']);
    expect(stage.spokenMs(0)).toBeGreaterThan(1_300);
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

  test('that answers in Markdown is spoken in sentences', async () => {
    const answer =
      'We sell **lamps**:\n\n| Lamp | Price |\n|---|---|\n| Brass | 20 |\n\n```\ncode\n```';
    stage.dialogue.ask('What do you sell?');
    await model.asked(1);
    model.say(...Array.from(answer));
    model.end();
    await stage.passUntil(() => stage.lines.length === 2);

    expect(stage.sentences).toEqual(['We sell lamps:', 'Lamp: Brass, Price: 20.']);
    expect(texts()).toEqual(['What do you sell?', answer]);
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

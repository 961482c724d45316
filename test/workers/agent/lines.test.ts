import { beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import type { CallLine } from '#protocol/call-brief.ts';
import { CallRefused } from '../../../workers/agent/call-control.ts';
import { Lines } from '../../../workers/agent/lines.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });

let clock: TestClock;
let savedLines: { id: string; line: CallLine }[];
/** The control plane's response to a line; null: it saves it. */
let answer: (line: CallLine) => Error | null;
let lines: Lines;

beforeEach(() => {
  clock = new TestClock();
  savedLines = [];
  answer = () => null;
  const keep = async (id: string, line: CallLine) => {
    const error = answer(line);
    if (error) throw error;
    savedLines.push({ id, line });
  };
  lines = new Lines({ keep }, clock, log);
});

const texts = () => savedLines.map(({ line }) => line.text);

describe('lines of a call', () => {
  test('report the age of their start', async () => {
    clock.advance(5_000);
    lines.add({ sender: 'ai', text: ' Hello. ' }, 2_000);
    await settle();

    expect(savedLines.map(({ line }) => line)).toEqual([
      { sender: 'ai', text: 'Hello.', agoMs: 3_000 },
    ]);
  });

  test('state their distance from the first saved one, whatever a request takes', async () => {
    lines.add({ sender: 'user', text: 'One' }, 100);
    await settle();
    lines.add({ sender: 'ai', text: 'Two' }, 350);
    lines.add({ sender: 'ai', text: 'Interrupted' }, 40);
    await settle();

    const { id: lineId } = savedLines[0]!;
    expect(savedLines.map(({ line }) => line.since)).toEqual([
      undefined,
      { lineId, ms: 250 },
      { lineId, ms: -60 },
    ]);
  });

  test('wait in order during an outage of the control plane, each under one id', async () => {
    const tried: string[] = [];
    answer = ({ text }) => (tried.push(text), new Error('away'));
    lines.add({ sender: 'user', text: 'One' }, 0);
    lines.add({ sender: 'ai', text: 'Two' }, 0);
    await clock.pass(60_000);
    expect(savedLines).toEqual([]);
    expect(new Set(tried)).toEqual(new Set(['One']));

    answer = () => null;
    await clock.pass(5_000);

    expect(texts()).toEqual(['One', 'Two']);
    expect(savedLines[0]!.line.agoMs).toBeGreaterThanOrEqual(60_000);
    expect(clock.waiting).toBe(0);
  });

  test('continue after a refused one', async () => {
    answer = ({ text }) => (text === 'bad' ? new CallRefused('404') : null);

    lines.add({ sender: 'user', text: 'bad' }, 0);
    lines.add({ sender: 'user', text: 'good' }, 0);
    await settle();

    expect(texts()).toEqual(['good']);
  });

  test('are not sent for empty text', async () => {
    lines.add({ sender: 'ai', text: '  ' }, 0);
    await settle();

    expect(savedLines).toEqual([]);
  });

  test('are awaited no longer than requested', async () => {
    answer = () => new Error('away');
    lines.add({ sender: 'ai', text: 'One' }, 0);
    let isOver = false;
    void lines.kept(10_000).then(() => (isOver = true));

    await clock.pass(9_999);
    expect(isOver).toBe(false);
    await clock.pass(1);

    expect(isOver).toBe(true);
    await lines.close();
    expect(clock.waiting).toBe(0);
  });
});

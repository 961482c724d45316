import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { MAX_TEXT, TextInput, type TextStream } from '../../../workers/agent/text-input.ts';
import type { TextBudget } from '../../../workers/agent/text-limits.ts';
import { noBudget } from '../../support/agents/no-budget.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

const log = createLog({ name: 'test', level: 'silent' });

let clock: TestClock;
let texts: string[];
let ignored: string[];
let input: TextInput;

beforeEach(() => open());
afterEach(async () => {
  await input.close();
  expect(clock.waiting).toBe(0);
});

function open(earlierTexts = 0, budget: TextBudget = noBudget): void {
  clock = new TestClock();
  texts = [];
  ignored = [];
  input = new TextInput({
    userIdentity: 'user-1',
    earlierTexts,
    budget,
    onText: (text) => texts.push(text),
    onIgnored: (why) => ignored.push(why),
    clock,
    log,
  });
}

/** A text stream whose parts the test writes. */
class WrittenStream implements TextStream {
  readonly #parts = new TransformStream<string, string>(undefined, { highWaterMark: 1_000 });
  readonly #writer = this.#parts.writable.getWriter();
  readonly #reader = this.#parts.readable.getReader();
  isClosed = false;

  write(part: string): void {
    void this.#writer.write(part).catch(() => {});
  }

  end(): void {
    void this.#writer.close().catch(() => {});
  }

  fail(): void {
    void this.#writer.abort(new Error('broken')).catch(() => {});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.#reader.cancel().catch(() => {});
  }
}

function type(...parts: string[]): WrittenStream {
  const stream = new WrittenStream();
  input.receive(stream, 'user-1');
  for (const part of parts) stream.write(part);
  return stream;
}

async function typeWhole(text: string): Promise<void> {
  type(text).end();
  await settle();
}

describe('the text input of a call', () => {
  test('gives each text when its stream ends', async () => {
    const stream = type('Are you ', 'open?');
    await settle();
    expect(texts).toEqual([]);

    stream.end();
    await settle();

    expect(texts).toEqual(['Are you open?']);
  });

  test('ignores others than the user', async () => {
    const stream = new WrittenStream();

    input.receive(stream, 'avatar_worker');
    stream.write('Hello?');
    stream.end();
    await settle();

    expect(texts).toEqual([]);
    expect(ignored).toEqual([]);
    expect(stream.isClosed).toBe(true);
  });

  test('cuts a long text and reads no more of it', async () => {
    const stream = type('x'.repeat(3_000), `${'y'.repeat(999)}👋`, 'z'.repeat(3_000));
    await settle();

    expect(texts).toEqual([`${'x'.repeat(3_000)}${'y'.repeat(999)}\u{FFFD}`]);
    expect(texts[0]).toHaveLength(MAX_TEXT);
    expect(stream.isClosed).toBe(true);
  });

  test('ignores a text whose stream breaks or does not end within ten seconds', async () => {
    type('Never').fail();
    const endless = type('Never ending');
    await settle();

    await clock.pass(10_000);

    expect(texts).toEqual([]);
    expect(ignored).toEqual(['incomplete', 'incomplete']);
    expect(endless.isClosed).toBe(true);
  });

  test('reads four streams at once', async () => {
    const streams = Array.from({ length: 5 }, (_, at) => type(`text ${at}`));
    for (const stream of streams) stream.end();
    await settle();

    expect(texts).toEqual(['text 0', 'text 1', 'text 2', 'text 3']);
    expect(ignored).toEqual(['too_fast']);
    await typeWhole('text 5');
    expect(texts.at(-1)).toBe('text 5');
  });

  test('accepts twenty texts a minute', async () => {
    for (let at = 0; at < 22; at += 1) {
      await typeWhole('Again?');
      await clock.pass(500);
    }
    expect(texts).toHaveLength(20);
    expect(ignored).toEqual(['too_fast', 'too_fast']);

    await clock.pass(60_000);
    await typeWhole('And now?');

    expect(texts.at(-1)).toBe('And now?');
  });

  test('accepts a thousand texts a call, including those that an earlier worker accepted', async () => {
    open(998);
    for (let at = 0; at < 5; at += 1) await typeWhole('Again?');

    await clock.pass(60_000);
    await typeWhole('And now?');

    expect(texts).toHaveLength(2);
    expect(ignored).toEqual(['too_many', 'too_many']);
  });

  test('reports a flood of ignored texts five times a second', async () => {
    for (let at = 0; at < 20; at += 1) await typeWhole('Again?');

    for (let at = 0; at < 100; at += 1) {
      await typeWhole('Flood');
      await clock.pass(10);
    }

    expect(ignored).toHaveLength(5);
  });

  test('reports nothing when it is closed', async () => {
    type('Never ending');
    await settle();

    await input.close();
    await settle();

    expect(ignored).toEqual([]);
  });
});

describe('the texts of a visitor', () => {
  test('are as many in ten minutes as the agent allows, with a hint', async () => {
    open(0, { ...noBudget, textsPerTenMinutes: 3 });
    for (let count = 0; count < 4; count += 1) {
      await typeWhole('Hello?');
      clock.advance(10_000);
    }
    expect([texts.length, ignored]).toEqual([3, ['too_often']]);

    clock.advance(600_000);
    await typeWhole('Hello?');

    expect(texts).toHaveLength(4);
  });

  test('count in all calls of the visitor', async () => {
    open(0, { ...noBudget, textsLeft: 0 });

    await typeWhole('Hello?');

    expect([texts.length, ignored]).toEqual([0, ['too_often']]);
  });
});

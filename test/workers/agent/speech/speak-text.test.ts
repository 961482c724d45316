import { describe, expect, test } from 'vitest';
import { sentencesOf, speakText } from '../../../../workers/agent/speech/speak-text.ts';
import { Utterance } from '../../../../workers/agent/speech/utterance.ts';
import type { Voice } from '../../../../workers/agent/voices/voice.ts';
import { TestClock } from '../../../support/test-clock.ts';

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

const { signal } = new AbortController();

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('speaking', () => {
  test('a sentence is spoken as soon as the next one starts', async () => {
    expect(await all(sentencesOf(pieces('Hel', 'lo. How', ' are you? ', 'Fi', 'ne')))).toEqual([
      'Hello.',
      'How are you?',
      'Fine',
    ]);
  });

  test('a title does not end a sentence', async () => {
    expect(await all(sentencesOf(pieces('Ask Dr', '. Smith. ', 'Mr. Bean is', ' out.')))).toEqual([
      'Ask Dr. Smith.',
      'Mr. Bean is out.',
    ]);
  });

  test('the first sentence sounds while the answer is still being written', async () => {
    const rest = Promise.withResolvers<string>();
    async function* answer(): AsyncGenerator<string> {
      yield 'We open at nine. The door ';
      yield await rest.promise;
    }
    const voice: Voice = {
      name: 'short',
      async *speak() {
        yield { samples: new Int16Array(2_400).fill(1), sampleRate: 24_000 };
      },
    };
    const utterance = new Utterance(null);
    const frames = speakText(answer(), { utterance, voice, clock: new TestClock(), signal });

    expect((await frames.next()).done).toBe(false);
    expect(utterance.sentences.map(({ text }) => text)).toEqual(['We open at nine.']);

    rest.resolve('is red.');
    expect(await all(frames)).toHaveLength(1);
    expect(utterance.sentences.map(({ text }) => text)[1]).toBe('The door is red.');
  });

  test('punctuation alone is not spoken, and other scripts are sentences too', async () => {
    expect(await all(sentencesOf(pieces('... ', '—')))).toEqual([]);
    expect(await all(sentencesOf(pieces('こんにちは。')))).toEqual(['こんにちは。']);
  });

  test('records spoken sentences and their length at any sample rate of the voice', async () => {
    const clock = new TestClock();
    const utterance = new Utterance(null);
    const voice: Voice = {
      name: 'two rates',
      async *speak(sentence) {
        const sampleRate = sentence === 'One.' ? 16_000 : 24_000;
        clock.advance(100);
        yield { samples: new Int16Array(sampleRate * 2), sampleRate };
      },
    };

    const frames = await all(
      speakText(pieces('One. ', 'Two.'), { utterance, voice, clock, signal }),
    );

    expect(new Set(frames.map(({ sampleRate }) => sampleRate))).toEqual(new Set([24_000]));
    expect(utterance.sentences.map(({ text }) => text)).toEqual(['One.', 'Two.']);
    for (const { seconds } of utterance.sentences) expect(seconds).toBeCloseTo(2, 1);
    expect(utterance).toMatchObject({ firstTextAt: 0, firstSoundAt: 100 });
  });
});

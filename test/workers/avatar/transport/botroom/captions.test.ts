import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Captions } from '../../../../../workers/avatar/transport/botroom/captions.ts';
import { TestClock } from '../../../../support/test-clock.ts';

let clock: TestClock;
let captions: Captions;
let sentCaptions: [string, number][];

beforeEach(() => {
  clock = new TestClock();
  sentCaptions = [];
  captions = new Captions(clock, (text) => sentCaptions.push([text, clock.elapsed()]));
});
afterEach(() => {
  captions.close();
  expect(clock.waiting).toBe(0);
});

describe('captions', () => {
  test('are sent when their part of the utterance is played', () => {
    captions.add('one', { utterance: 1, offsetMs: 0 });
    captions.add('two', { utterance: 1, offsetMs: 300 });
    captions.add('next', { utterance: 2, offsetMs: 0 });
    clock.advance(1_000);
    const earlyCount = sentCaptions.length;

    captions.started();
    clock.advance(500);
    captions.finished(false);
    captions.started();

    expect(earlyCount).toBe(0);
    expect(sentCaptions).toEqual([
      ['one', 1_000],
      ['two', 1_300],
      ['next', 1_500],
    ]);
  });

  test('that arrive while their utterance plays wait for their part', () => {
    captions.started();
    clock.advance(100);

    captions.add('late', { utterance: 1, offsetMs: 50 });
    captions.add('early', { utterance: 1, offsetMs: 400 });
    clock.advance(1_000);

    expect(sentCaptions).toEqual([
      ['late', 100],
      ['early', 400],
    ]);
  });

  test('at the very end are sent with it', () => {
    captions.started();
    captions.add('end', { utterance: 1, offsetMs: 5_000 });

    captions.finished(false);

    expect(sentCaptions).toEqual([['end', 0]]);
  });

  test('of speech that was interrupted are not sent', () => {
    captions.add('heard', { utterance: 1, offsetMs: 0 });
    captions.add('cut', { utterance: 1, offsetMs: 500 });
    captions.add('never', { utterance: 2, offsetMs: 0 });
    captions.started();
    clock.advance(200);

    captions.finished(true);
    captions.finished(true);
    clock.advance(1_000);

    expect(sentCaptions.map(([text]) => text)).toEqual(['heard']);
  });
});

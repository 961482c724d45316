import { describe, expect, test } from 'vitest';
import {
  advanceLink,
  initialLink,
  type BotEnding,
  type LinkEffect,
  type LinkEvent,
} from '../../../../../workers/avatar/transport/pipecat/link-state.ts';

type Timed = [atMs: number, event: LinkEvent];

/** The effects of each event. */
function play(events: Timed[]): LinkEffect[][] {
  let state = initialLink;
  return events.map(([atMs, event]) => {
    const step = advanceLink(state, event, atMs);
    state = step.state;
    return step.effects;
  });
}

const shown = { type: 'shown' } as const;
const comes = { type: 'visited', isVisited: true } as const;
const goes = { type: 'visited', isVisited: false } as const;
const opened = { type: 'opened' } as const;
const heard = { type: 'heard' } as const;
const due = { type: 'retry_due' } as const;
const ended = (type: BotEnding['type']): LinkEvent => ({
  type: 'ended',
  ending: { type, detail: type },
});

const dial: LinkEffect = { type: 'dial' };
const retry = (attempt: number): LinkEffect => ({ type: 'retry', attempt });
const left: LinkEffect = { type: 'announce', isHere: false };
const returned: LinkEffect = { type: 'announce', isHere: true };
const refuse = (detail: string): LinkEffect => ({ type: 'refuse', detail });

const CONNECTED: Timed[] = [
  [0, shown],
  [0, comes],
  [0, opened],
  [0, heard],
];

describe('the connection to a bot', () => {
  test.each([
    ['the avatar, then a visitor', [shown, comes]],
    ['a visitor, then the avatar', [comes, shown]],
    ['another visitor than the first', [comes, goes, shown, comes]],
  ])('is made for %s, once', (_, events) => {
    const effects = play([...events, comes, shown].map((event) => [0, event]));

    expect(effects.flat()).toEqual([dial]);
    expect(effects[events.length - 1]).toEqual([dial]);
  });

  test('is tried for ten seconds, then the bot counts as refusing', () => {
    const effects = play([
      [0, shown],
      [0, comes],
      [5, ended('broken')],
      [300, due],
      [9_999, ended('broken')],
      [10_500, due],
      [10_501, ended('broken')],
    ]);

    expect(effects.slice(2)).toEqual([[retry(1)], [dial], [retry(2)], [dial], [refuse('broken')]]);
  });

  test('is not tried again after a refusal, also right after the handshake', () => {
    expect(
      play([
        [0, shown],
        [0, comes],
        [5, ended('refused')],
      ]).at(-1),
    ).toEqual([refuse('refused')]);
    expect(play([...CONNECTED.slice(0, 3), [5, ended('refused')]]).at(-1)).toEqual([
      refuse('refused'),
    ]);
  });

  test('of a bot that fails after each handshake is given up', () => {
    const failing: Timed[] = [100, 4_000, 9_000, 11_000].flatMap((atMs): Timed[] => [
      [atMs, opened],
      [atMs, ended('broken')],
      [atMs, due],
    ]);

    const effects = play([[0, shown], [0, comes], ...failing]).flat();

    expect(effects.at(-1)).toEqual(refuse('broken'));
  });

  test('is made again when a bot restarts', () => {
    const effects = play([
      ...CONNECTED,
      [60_000, ended('broken')],
      [60_200, due],
      [60_201, ended('broken')],
      [60_600, due],
      [60_700, opened],
      [60_701, heard],
    ]);

    expect(effects.slice(4)).toEqual([
      [left, retry(1)],
      [dial],
      [retry(2)],
      [dial],
      [returned],
      [],
    ]);
  });

  test('is given up when a bot has not returned after ten seconds', () => {
    const effects = play([
      ...CONNECTED,
      [60_000, ended('broken')],
      [69_000, due],
      [70_000, ended('broken')],
      [70_000, due],
    ]);

    expect(effects.slice(4)).toEqual([[left, retry(1)], [dial], [left], []]);
  });

  test('is not made again when the bot ended the conversation', () => {
    expect(play([...CONNECTED, [60_000, ended('hung_up')]]).at(-1)).toEqual([left]);
    expect(play([...CONNECTED.slice(0, 3), [10, ended('hung_up')]]).at(-1)).toEqual([left]);
    expect(play([...CONNECTED, [60_000, ended('refused')]]).at(-1)).toEqual([left]);
  });

  test('lost late by a bot that never said a word is made again', () => {
    expect(play([...CONNECTED.slice(0, 3), [60_000, ended('broken')]]).at(-1)).toEqual([
      left,
      retry(1),
    ]);
  });

  test('is over when closed', () => {
    const effects = play([
      ...CONNECTED,
      [1, { type: 'closed' }],
      [2, ended('broken')],
      [3, due],
      [4, opened],
    ]);

    expect(effects.slice(4).flat()).toEqual([]);
  });
});

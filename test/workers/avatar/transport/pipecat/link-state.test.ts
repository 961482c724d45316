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

const showing = { type: 'shown' } as const;
const comes = { type: 'visited', isVisited: true } as const;
const goes = { type: 'visited', isVisited: false } as const;
const opened = { type: 'opened' } as const;
const reply = { type: 'heard' } as const;
const retryDue = { type: 'retry_due' } as const;
const ended = (type: BotEnding['type']): LinkEvent => ({
  type: 'ended',
  ending: { type, detail: type },
});

const dial: LinkEffect = { type: 'dial' };
const retry = (attempt: number): LinkEffect => ({ type: 'retry', attempt });
const departure: LinkEffect = { type: 'announce', isHere: false };
const returned: LinkEffect = { type: 'announce', isHere: true };
const refuse = (detail: string): LinkEffect => ({ type: 'refuse', detail });

const CONNECTED: Timed[] = [
  [0, showing],
  [0, comes],
  [0, opened],
  [0, reply],
];

describe('the connection to a bot', () => {
  test.each([
    ['the avatar, then a visitor', [showing, comes]],
    ['a visitor, then the avatar', [comes, showing]],
    ['another visitor than the first', [comes, goes, showing, comes]],
  ])('is made for %s, once', (_, events) => {
    const effects = play([...events, comes, showing].map((event) => [0, event]));

    expect(effects.flat()).toEqual([dial]);
    expect(effects[events.length - 1]).toEqual([dial]);
  });

  test('is tried for ten seconds, then the bot counts as refusing', () => {
    const effects = play([
      [0, showing],
      [0, comes],
      [5, ended('broken')],
      [300, retryDue],
      [9_999, ended('broken')],
      [10_500, retryDue],
      [10_501, ended('broken')],
    ]);

    expect(effects.slice(2)).toEqual([[retry(1)], [dial], [retry(2)], [dial], [refuse('broken')]]);
  });

  test('is not tried again after a refusal, also right after the handshake', () => {
    expect(
      play([
        [0, showing],
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
      [atMs, retryDue],
    ]);

    const effects = play([[0, showing], [0, comes], ...failing]).flat();

    expect(effects.at(-1)).toEqual(refuse('broken'));
  });

  test('is made again when a bot restarts', () => {
    const effects = play([
      ...CONNECTED,
      [60_000, ended('broken')],
      [60_200, retryDue],
      [60_201, ended('broken')],
      [60_600, retryDue],
      [60_700, opened],
      [60_701, reply],
    ]);

    expect(effects.slice(4)).toEqual([
      [departure, retry(1)],
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
      [69_000, retryDue],
      [70_000, ended('broken')],
      [70_000, retryDue],
    ]);

    expect(effects.slice(4)).toEqual([[departure, retry(1)], [dial], [departure], []]);
  });

  test('is not made again when the bot ended the conversation', () => {
    expect(play([...CONNECTED, [60_000, ended('hung_up')]]).at(-1)).toEqual([departure]);
    expect(play([...CONNECTED.slice(0, 3), [10, ended('hung_up')]]).at(-1)).toEqual([departure]);
    expect(play([...CONNECTED, [60_000, ended('refused')]]).at(-1)).toEqual([departure]);
  });

  test('lost late by a bot that never said a word is made again', () => {
    expect(play([...CONNECTED.slice(0, 3), [60_000, ended('broken')]]).at(-1)).toEqual([
      departure,
      retry(1),
    ]);
  });

  test('is over when closed', () => {
    const effects = play([
      ...CONNECTED,
      [1, { type: 'closed' }],
      [2, ended('broken')],
      [3, retryDue],
      [4, opened],
    ]);

    expect(effects.slice(4).flat()).toEqual([]);
  });
});

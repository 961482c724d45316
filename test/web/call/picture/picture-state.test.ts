import { describe, expect, test } from 'vitest';
import {
  advance,
  type PictureEvent,
  type PictureState,
} from '../../../../src/web/call/picture/picture-state.ts';
import { Pictures } from '../../../../workers/avatar/transport/botroom/pictures.ts';

const unseen: PictureState = { type: 'unseen' };
const closed: PictureState = { type: 'closed' };
const seenAt = (lastPictureAt: number): PictureState => ({ type: 'seen', lastPictureAt });
const picture = (at: number): PictureEvent => ({ type: 'picture', at });
const checked = (at: number, isHidden = false): PictureEvent => ({ type: 'checked', at, isHidden });

/**
 * Reports on a botroom's picture that does not change for ten seconds. `delayMs`: of every second
 * one.
 */
function reportsOfStillPicture(delayMs: number) {
  const events: { at: number; event: PictureEvent }[] = [];
  let now = 0;
  const pictures = new Pictures({
    encode: () => (now === 0 ? Uint8Array.of(1) : null),
    send: () => {
      const at = now + (events.length % 2) * delayMs;
      events.push({ at, event: picture(at) });
    },
    isBlocked: () => false,
  });
  pictures.start();
  for (; now < 10_000; now += 40) pictures.show(new Uint8Array(), now);
  for (let at = 0; at < 10_000; at += 250) events.push({ at, event: checked(at) });

  let state = unseen;
  return events
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ event }) => {
      const step = advance(state, event);
      state = step.state;
      return step.report ?? [];
    });
}

describe('the state of a video', () => {
  test.each([
    ['reports the first picture', unseen, picture(10), seenAt(10), 'picture'],
    ['remembers the time of every picture', seenAt(10), picture(50), seenAt(50), null],
    ['bears a short gap', seenAt(0), checked(1499), seenAt(0), null],
    ['reports a long gap', seenAt(0), checked(1500), unseen, 'gone'],
    ['reports a long gap once', unseen, checked(9000), unseen, null],
    [
      'expects no picture while the page is hidden',
      seenAt(0),
      checked(9000, true),
      seenAt(9000),
      null,
    ],
    ['reports nothing more after a close', seenAt(0), { type: 'closed' } as const, closed, null],
    ['ignores a picture after a close', closed, picture(10), closed, null],
    ['ignores a check after a close', closed, checked(9000), closed, null],
  ])('%s', (_, previous, event, state, report) => {
    expect(advance(previous, event)).toEqual({ state, report });
  });

  test('counts a still picture of a botroom, which comes again and again, as seen', () => {
    expect(reportsOfStillPicture(400)).toEqual(['picture']);
    expect(reportsOfStillPicture(900)).toContain('gone');
  });
});

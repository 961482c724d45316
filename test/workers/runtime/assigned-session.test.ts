import { describe, expect, test } from 'vitest';
import { advance, type SessionState } from '../../../workers/runtime/assigned-session.ts';

const performing: SessionState = { type: 'performing' };

describe('state of an assigned session', () => {
  test('is released, then leaving, and remembers the release', () => {
    const released = advance(performing, 'released');
    const leaving = advance(released, 'leaving');

    expect(released).toEqual({ type: 'released' });
    expect(leaving).toEqual({ type: 'leaving', wasReleased: true });
  });

  test('stays leaving when the release completes afterwards', () => {
    const leaving = advance(performing, 'leaving');

    expect(leaving).toEqual({ type: 'leaving', wasReleased: false });
    expect(advance(leaving, 'released')).toEqual({ type: 'leaving', wasReleased: true });
  });

  test('never changes once forgotten', () => {
    const forgotten = advance(performing, 'forgotten');

    expect(advance(forgotten, 'released')).toEqual({ type: 'forgotten' });
    expect(advance(forgotten, 'leaving')).toEqual({ type: 'forgotten' });
  });
});

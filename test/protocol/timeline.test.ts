import { describe, expect, test } from 'vitest';
import {
  isRoutine,
  readTimelineEvent,
  TIMELINE,
  TIMELINE_FIELDS,
} from '../../src/protocol/timeline.ts';

describe('what a worker says for a flight record', () => {
  test('is read by its kind, with the epoch of its placement', () => {
    const said = { kind: 'speech_finished', segment: 2, positionSeconds: 1.5, interrupted: true };

    expect(readTimelineEvent({ ...said, agoMs: 3, more: 'of a later version' }, 4)).toEqual({
      ...said,
      epoch: 4,
    });
  });

  test.each([
    ['of a kind that is not known', { kind: 'danced' }],
    ['of a kind that workers do not say', { kind: 'ended', reason: 'agent_left' }],
    ['of a kind that every object has', { kind: 'toString' }],
    ['without what belongs to it', { kind: 'speech_started' }],
    ['in another form', { kind: 'speech_started', segment: '2' }],
  ])('is left out when it is %s', (_, said) => {
    expect(readTimelineEvent(said, 1)).toBeNull();
  });
});

describe('the table of kinds', () => {
  test('explains every kind and uses every field', () => {
    const used = new Set(Object.values(TIMELINE).flatMap(({ fields }) => [...fields]));

    expect([...used].sort()).toEqual(Object.keys(TIMELINE_FIELDS).sort());
    expect(isRoutine('frames')).toBe(true);
    expect(isRoutine('ended')).toBe(false);
  });
});

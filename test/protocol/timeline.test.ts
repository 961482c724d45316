import { describe, expect, test } from 'vitest';
import {
  fieldsOfKind,
  isRoutine,
  readTimelineEvent,
  TIMELINE,
  TIMELINE_FIELDS,
  type TimelineKind,
} from '../../src/protocol/timeline.ts';

describe('timeline event of a worker', () => {
  test('is read by its kind, with the epoch of its placement', () => {
    const report = { kind: 'speech_finished', segment: 2, positionSeconds: 1.5, interrupted: true };

    expect(readTimelineEvent({ ...report, agoMs: 3, more: 'of a later version' }, 4)).toEqual({
      ...report,
      epoch: 4,
    });
  });

  test.each([
    ['its kind is unknown', { kind: 'danced' }],
    ['workers do not send its kind', { kind: 'ended', reason: 'agent_left' }],
    ['its kind is an object property', { kind: 'toString' }],
    ['a field is missing', { kind: 'speech_started' }],
    ['a field has the wrong type', { kind: 'speech_started', segment: '2' }],
  ])('is ignored when %s', (_, report) => {
    expect(readTimelineEvent(report, 1)).toBeNull();
  });
});

describe('timeline kinds', () => {
  test('use every field', () => {
    const kinds = Object.keys(TIMELINE) as TimelineKind[];
    const used = new Set(kinds.flatMap(fieldsOfKind).map(({ name }) => name));

    expect([...used].sort()).toEqual(Object.keys(TIMELINE_FIELDS).sort());
    expect(isRoutine('frames')).toBe(true);
    expect(isRoutine('ended')).toBe(false);
  });
});

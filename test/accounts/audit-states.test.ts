import { describe, expect, test } from 'vitest';
import { statesOf } from '../../src/accounts/audit-states.ts';

describe('the states of a change', () => {
  test('are whole when something is made or deleted', () => {
    expect(statesOf(null, { name: 'a' })).toEqual({ before: null, after: { name: 'a' } });
    expect(statesOf({ name: 'a' }, null)).toEqual({ before: { name: 'a' }, after: null });
    expect(statesOf(null, null)).toEqual({ before: null, after: null });
  });

  test('hold only the fields that an update changed', () => {
    const before = { name: 'a', language: 'en', llm: { model: 'x' } };
    const after = { name: 'b', language: 'en', llm: { model: 'y' } };

    expect(statesOf(before, after)).toEqual({
      before: { name: 'a', llm: { model: 'x' } },
      after: { name: 'b', llm: { model: 'y' } },
    });
  });

  test('show a field that came or went as null on the other side', () => {
    expect(statesOf({ pool: 'gpu' }, { reason: 'gone' })).toEqual({
      before: { pool: 'gpu', reason: null },
      after: { pool: null, reason: 'gone' },
    });
  });

  test('are empty if nothing changed', () => {
    const states = statesOf({ events: ['test'] }, { events: ['test'] });

    expect(states).toEqual({ before: {}, after: {} });
  });

  test('cut long texts at any depth and name their hash', () => {
    const long = 'x'.repeat(1_001);

    const states = statesOf(null, { llm: [{ prompt: long }], name: 'y'.repeat(1_000) });

    expect(states.after).toEqual({
      llm: [
        { prompt: expect.stringMatching(/^x{1000}… \(1001 characters, SHA-256 [0-9a-f]{64}\)$/) },
      ],
      name: 'y'.repeat(1_000),
    });
  });

  test('never end in half a character', () => {
    const states = statesOf(null, { text: `${'x'.repeat(999)}😀${'x'.repeat(10)}` });

    expect(String(states.after?.['text']).isWellFormed()).toBe(true);
  });
});

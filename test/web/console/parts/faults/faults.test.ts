import { describe, expect, test } from 'vitest';
import { FAULTS } from '../../../../../src/errors.ts';
import { Refusal } from '../../../../../src/web/api/answers.ts';
import {
  adviceOf,
  faultsIn,
  isOfField,
} from '../../../../../src/web/console/parts/faults/faults.ts';

const refusal = (...detail: { type: string; loc: (string | number)[]; msg: string }[]) =>
  new Refusal(422, 'refused', null, null, { detail });

const wordsFor = (type: string, msg: string) =>
  faultsIn(refusal({ type, loc: ['body', 'name'], msg }))[0]?.text;

describe('faults of a form', () => {
  test('belong to fields, also those of their parts', () => {
    const [fault] = faultsIn(
      refusal({ type: 'origin', loc: ['body', 'allowed_origins', 1], msg: 'Write https://.' }),
    );

    expect(fault).toEqual({ field: 'allowed_origins.1', text: 'Write https://.' });
    expect(isOfField(fault!, 'allowed_origins')).toBe(true);
    expect(isOfField(fault!, 'allowed')).toBe(false);
  });

  test.each([
    ['missing', 'Field required', 'This is required.'],
    [
      'missing',
      'Send the key again: the address is new.',
      'Send the key again: the address is new.',
    ],
    ['string_too_short', 'Input must NOT have fewer than 1 characters', 'This is required.'],
    [
      'string_too_short',
      'Input must NOT have fewer than 12 characters',
      'Use at least 12 characters.',
    ],
    [
      'string_too_long',
      'Input must NOT have more than 100 characters',
      'Use at most 100 characters.',
    ],
    ['greater_than_equal', 'Input must be >= 1', 'Use 1 or more.'],
    ['less_than_equal', 'Input must be <= 90', 'Use 90 or less.'],
    ['string_pattern_mismatch', 'Input must match pattern "^a$"', 'The format is not valid.'],
    ['enum', "Input should be 'a' or 'b'", 'Choose one of the listed values.'],
    ['integer_type', 'Input should be a valid integer', 'Use a whole number.'],
    ['number_type', 'Input should be a valid number', 'Use a number.'],
    ['repeated', 'Input should have each type once', 'This should have each type once'],
  ])('say in words that %s', (type, msg, words) => {
    expect(wordsFor(type, msg)).toBe(words);
  });

  test('are none in an answer about the whole request', () => {
    expect(faultsIn(new Refusal(409, 'Someone else has this name.'))).toEqual([]);
    expect(faultsIn(new Error('away'))).toEqual([]);
    expect(faultsIn(null)).toEqual([]);
  });
});

describe('advice of the service', () => {
  test('is not shown to people where it is for programs', () => {
    const shown = Object.entries(FAULTS).flatMap(([code, { status, detail, advice }]) => {
      const seconds = advice.includes('Retry-After') ? 7 : null;
      return adviceOf(new Refusal(status, detail, seconds, advice, { code })) ?? [];
    });

    expect(shown.filter((advice) => /`|header|Retry-After|HTTP|Send /.test(advice))).toEqual([
      FAULTS.sign_in_failed.advice,
    ]);
    expect(shown).toContain('Try again in 7 s.');
    expect(shown).toContain(FAULTS.storage_full.advice);
  });
});

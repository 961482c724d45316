import { expect, test } from 'vitest';
import { answersTo, figuresOf } from './judging.ts';
import {
  CINEMA,
  DENTIST,
  GARDEN,
  GYM,
  HOTEL,
  LIBRARY,
  MUSEUM,
  SCHOOL,
  SOFTWARE,
  VET,
} from './other-questions.ts';

test.each([
  ['dentist.md', DENTIST, 12],
  ['museum.md', MUSEUM, 12],
  ['hotel.txt', HOTEL, 14],
  ['software.md', SOFTWARE, 12],
  ['gym.md', GYM, 18],
  ['school.md', SCHOOL, 19],
  ['vet.md', VET, 15],
  ['garden.md', GARDEN, 15],
  ['library.md', LIBRARY, 22],
  ['cinema.md', CINEMA, 17],
])('most questions are answered rightly, and none wrongly: %s', async (file, questions, least) => {
  const { right, wrong } = figuresOf(await answersTo(file, questions));

  expect(wrong).toBe(0);
  expect(right).toBeGreaterThanOrEqual(least);
});

import { expect, test } from 'vitest';
import { fetchProblem } from '#shared/network/fetch-problem.ts';

const failed = (cause?: unknown) => new TypeError('fetch failed', { cause });
const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });

test.each([
  ['its cause', failed(new Error('bad port')), 'bad port'],
  ['the code of several addresses', failed(refused), 'ECONNREFUSED'],
  ['its own message without a cause', failed(), 'fetch failed'],
  ['what was thrown, if it is no error', 'stopped', 'stopped'],
])('the problem of a request is %s', (_, error, problem) => {
  expect(fetchProblem(error)).toBe(problem);
});

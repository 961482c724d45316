import { describe, expect, test } from 'vitest';
import { newRecordId } from '#shared/ids.ts';
import {
  readTraceparent,
  spanIdOf,
  toTraceparent,
  traceIdOf,
} from '../../../src/shared/tracing/trace-context.ts';
import { TraceIds } from '../../../src/shared/tracing/trace-ids.ts';

const traceId = 'a'.repeat(32);
const spanId = 'b'.repeat(16);

describe('trace context', () => {
  test('has the id of a session as its trace id', () => {
    const id = newRecordId();

    expect(traceIdOf(id)).toBe(id.replaceAll('-', ''));
    expect(traceIdOf('not a UUID')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('has equal span ids for equal names only', () => {
    expect(spanIdOf('a', 1)).toMatch(/^[0-9a-f]{16}$/);
    expect(spanIdOf('a', 1)).toBe(spanIdOf('a', 1));
    expect(spanIdOf('a', 1)).not.toBe(spanIdOf('a', 2));
  });

  test('crosses a process boundary as a traceparent', () => {
    expect(readTraceparent(toTraceparent({ traceId, spanId }))).toEqual({ traceId, spanId });
    expect(readTraceparent(`cc-${traceId}-${spanId}-00-later`)).toEqual({ traceId, spanId });
  });

  test.each([
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01x`,
  ])('ignores the traceparent %j', (text) => {
    expect(readTraceparent(text)).toBeNull();
  });
});

describe('trace ids of sessions', () => {
  test('are those of their calls while they are kept', () => {
    const ids = new TraceIds();
    ids.keep('session', traceId);
    expect(ids.of('session')).toBe(traceId);

    ids.forget('session');

    expect(ids.of('session')).toBe(traceIdOf('session'));
  });

  test('are limited in number', () => {
    const ids = new TraceIds();
    for (let n = 0; n < 10_001; n++) ids.keep(`session ${n}`, traceId);

    expect(ids.of('session 0')).toBe(traceIdOf('session 0'));
    expect(ids.of('session 10000')).toBe(traceId);
  });
});

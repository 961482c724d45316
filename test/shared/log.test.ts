import { describe, expect, test } from 'vitest';
import { createLog, type Log } from '#shared/log.ts';

function logged(write: (log: Log) => void): { text: string; line: Record<string, unknown> } {
  let text = '';
  write(createLog({ name: 'test' }, { write: (line: string) => (text += line) }));
  return { text, line: JSON.parse(text) as Record<string, unknown> };
}

describe('log', () => {
  test('writes one line with the fields and the time', () => {
    const { text, line } = logged((log) =>
      log.info({ sessionId: 'one', repeated: false }, 'opened'),
    );

    expect(text.split('\n')).toHaveLength(2);
    expect(line).toMatchObject({ name: 'test', sessionId: 'one', repeated: false, msg: 'opened' });
    expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  test('adds the trace id to lines about a session only', () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const log = createLog({ name: 'test', traceIds: { of: (id) => `trace of ${id}` } }, { write });
    log.info({ sessionId: 'one', token: 'hush' }, 'placed');
    log.info({ workerId: 'w' }, 'connected');

    expect(lines[0]).toMatchObject({ trace_id: 'trace of one', token: '[hidden]' });
    expect(lines[1]).not.toHaveProperty('trace_id');
  });

  const refusal = Object.assign(new Error('refused'), {
    status: 401,
    request: { url: 'https://llm.example', headers: { authorization: 'Bearer hush' } },
    api_key: 'hush',
  });

  test.each<[string, (log: Log) => void]>([
    ['a field', (log) => log.info({ token: 'hush' }, 'x')],
    ['a field of a child', (log) => log.child({ apiKey: 'hush' }).info('x')],
    ['a field of an object', (log) => log.info({ room: { url: 'wss://x', token: 'hush' } }, 'x')],
    ['an object', (log) => log.info({ room: { secret: { a: 'hush' } } }, 'x')],
    ['deep inside', (log) => log.info({ a: { b: { c: { password: 'hush' } } } }, 'x')],
    ['in a list', (log) => log.info({ rooms: [{ name: 'one' }, { agent_token: 'hush' }] }, 'x')],
    ['a header', (log) => log.info({ answer: { headers: { 'x-api-key': 'hush' } } }, 'x')],
    ['in an error', (log) => log.error({ err: refusal }, 'x')],
    ['in the cause of an error', (log) => log.error(new Error('no', { cause: refusal }))],
    ['in an error by another name', (log) => log.warn({ problem: refusal }, 'x')],
    ['in one of several errors', (log) => log.warn({ err: new AggregateError([refusal]) }, 'x')],
  ])('hides secrets: %s', (_, write) => {
    expect(logged(write).text).not.toContain('hush');
  });

  test('hides the sound in an error of the media client', () => {
    const request = 'ByteStreamWrite { writer_handle: 13, bytes: [210, 244, 120], id: None }';
    const { text, line } = logged((log) =>
      log.warn({ err: new Error(`no handle (${request})`) }, 'x'),
    );

    expect(text).not.toContain('210, 244');
    expect(line['err']).toMatchObject({
      message: 'no handle (ByteStreamWrite { writer_handle: 13, bytes: [hidden], id: None })',
    });
  });

  test.each([null, undefined, 'refused', 7, { code: 'refused' }])(
    'writes what is no error as it is: %o',
    (err) => {
      expect(logged((log) => log.warn({ err }, 'x')).line['err']).toEqual(err);
    },
  );

  test('keeps other fields unchanged', () => {
    const { line } = logged((log) => log.error({ err: refusal, at: new Date(0), none: null }, 'x'));

    expect(line).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      none: null,
      err: {
        type: 'Error',
        message: 'refused',
        stack: expect.stringContaining('log.test.ts'),
        status: 401,
        api_key: '[hidden]',
        request: { url: 'https://llm.example', headers: { authorization: '[hidden]' } },
      },
    });
  });

  test('does not modify its arguments', () => {
    const room = { token: 'hush' };

    logged((log) => log.info({ room }, 'x'));

    expect(room).toEqual({ token: 'hush' });
    expect(refusal.api_key).toBe('hush');
  });
});

import { describe, expect, test } from 'vitest';
import { clientReady, rtviTypeOf } from '#protocol/pipecat/rtvi.ts';

describe('RTVI', () => {
  test('names the client and a version that bots know', () => {
    expect(JSON.parse(clientReady('a', '0.1.0'))).toEqual({
      label: 'rtvi-ai',
      type: 'client-ready',
      id: 'a',
      data: { version: '1.0.0', about: { library: 'troupe', library_version: '0.1.0' } },
    });
  });

  test.each([
    ['a message', '{"label":"rtvi-ai","type":"bot-ready","id":"1","data":{}}', 'bot-ready'],
    ['another protocol', '{"label":"mine","type":"bot-ready"}', null],
    ['no type', '{"label":"rtvi-ai"}', null],
    ['no object', '[1]', null],
    ['no JSON', '{', null],
    ['a very long one', `{"label":"rtvi-ai","type":"x","data":"${'a'.repeat(20_000)}"}`, null],
  ])('%s', (_, data, type) => {
    expect(rtviTypeOf(data)).toBe(type);
  });
});

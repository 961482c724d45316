import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const root = '/v1/knowledge-files';

describe('an invalid knowledge file request', () => {
  test.each([
    { wrong: 'no name', more: { name: undefined }, loc: 'name' },
    { wrong: 'an empty name', more: { name: '' }, loc: 'name' },
    { wrong: 'a name of 101 letters', more: { name: 'x'.repeat(101) }, loc: 'name' },
    { wrong: 'a NUL in its name', more: { name: 'a\0' }, loc: 'name' },
    { wrong: 'no format', more: { format: undefined }, loc: 'format' },
    { wrong: 'an unknown format', more: { format: 'docx' }, loc: 'format' },
    { wrong: 'an empty text', more: { content: '' }, loc: 'content' },
    { wrong: 'a NUL in its text', more: { content: 'a\0b' }, loc: 'content' },
    { wrong: 'a text that is too long', more: { content: 'x'.repeat(500_001) }, loc: 'content' },
    { wrong: 'the text of a PDF', more: { format: 'pdf', content: 'x' }, loc: 'content' },
  ])('has $wrong', async ({ more: fields, loc }) => {
    const payload = { name: 'Prices', format: 'text', ...fields };

    const created = await service.call('POST', root, { payload });

    expect(created.statusCode).toBe(422);
    expect(created.json().detail).toEqual([expect.objectContaining({ loc: ['body', loc] })]);
  });

  test('accepts a text of the maximum length in any JSON escaping', async () => {
    const content = '🙂'.repeat(500_000);
    const payload = JSON.stringify({ name: 'Smiles', format: 'text', content }).replace(
      /[\ud800-\udfff]/g,
      (half) => `\\u${half.charCodeAt(0).toString(16)}`,
    );

    const created = await service.call('POST', root, {
      payload,
      headers: { 'content-type': 'application/json' },
    });

    expect(created.statusCode).toBe(201);
    const retrievedBody = await service.call('GET', `${root}/${created.json().id}`);
    expect(retrievedBody.json().content).toBe(content);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_CHUNK_BYTES } from '../../../src/knowledge/upload.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { pdfOfPages, pdfSaying, streamOf } from '../../support/api/pdf.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const unknownId = '00000000-0000-4000-8000-000000000000';
const root = '/v1/knowledge-files';

const create = (payload: object, headers: Record<string, string> = {}) =>
  service.call('POST', root, { payload, headers });
const newFile = async (format: 'text' | 'pdf' = 'text') =>
  (await create({ name: 'Prices', format })).json<{ id: string }>().id;
const newText = async () =>
  (await create({ name: 'Prices', format: 'text', content: 'x' })).json<{ id: string }>().id;
const get = (id: string) => service.call('GET', `${root}/${id}`);
const submit = (id: string, query = '') => service.call('POST', `${root}/${id}/submit${query}`);
const remove = (id: string) => service.call('DELETE', `${root}/${id}`);

const upload = (
  id: string,
  chunkNumber: number | string,
  payload: string | Buffer | undefined,
  type: string | undefined = 'application/octet-stream',
) =>
  service.call('PUT', `${root}/${id}/upload?chunk_number=${chunkNumber}`, {
    ...(payload !== undefined && { payload }),
    headers: { ...(type !== undefined && { 'content-type': type }) },
  });

const agentWith = async (...knowledge_files: string[]) => {
  const payload = { name: 'Jarvis', avatar_id: NORA, knowledge_files };
  return (await service.call('POST', '/v1/agents', { payload })).json<{ id: string }>().id;
};

const available = {
  id: expect.any(String),
  name: 'Prices',
  format: 'text',
  status: 'available',
  content: 'Eggs are two dollars.',
  created_at: '2026-01-01T12:00:00.000000+00:00',
};

describe('knowledge files', () => {
  test('with inline text are available at once', async () => {
    const { content } = available;

    const created = await create({ name: 'Prices', format: 'text', content });

    expect([created.statusCode, created.json()]).toEqual([201, available]);
    expect((await get(created.json().id)).json()).toEqual(created.json());
  });

  test.each(['text', 'pdf'] as const)('of format %s wait for their chunks', async (format) => {
    const created = await create({ name: 'Prices', format });

    const { content: _, ...waiting } = { ...available, format, status: 'to-upload' };
    expect([created.statusCode, created.json()]).toEqual([201, waiting]);
    expect((await get(created.json().id)).json()).toEqual(created.json());
  });

  test('of text accept chunks in any order', async () => {
    const id = await newFile();

    const second = await upload(id, 1, 'two dollars.');
    await upload(id, 0, 'Milk is ');
    await upload(id, 0, 'Eggs are ');
    const submitted = await submit(id);

    expect([second.statusCode, second.body]).toEqual([204, '']);
    expect([submitted.statusCode, submitted.json()]).toEqual([200, { ...available, id }]);
    expect((await get(id)).json()).toEqual(submitted.json());
  });

  test('of PDF have their text extracted', async () => {
    const id = await newFile('pdf');
    const pdf = pdfSaying('Eggs are', 'two dollars.');
    await upload(id, 0, pdf.subarray(0, 100), 'application/pdf');
    await upload(id, 1, pdf.subarray(100), 'application/pdf');

    const submitted = await submit(id);

    expect(submitted.statusCode).toBe(200);
    expect(submitted.json()).toMatchObject({
      status: 'available',
      format: 'pdf',
      content: 'Eggs are\n\ntwo dollars.',
    });
  });

  test.each([
    { type: 'application/json', bytes: '{"broken' },
    { type: 'text/plain; charset=utf-16', bytes: 'x' },
    { type: 'multipart/form-data', bytes: 'x' },
    { type: undefined, bytes: 'x' },
  ])('accept raw bytes with content type $type', async ({ type, bytes }) => {
    const id = await newFile();

    const uploaded = await upload(id, 0, Buffer.from(bytes), type);

    expect(uploaded.statusCode).toBe(204);
    expect((await submit(id)).json().content).toBe(bytes);
  });

  test('are returned unchanged when submitted again', async () => {
    const { id } = (await create({ name: 'Prices', format: 'text', content: 'x' })).json();

    const repeatedReply = await service.call('POST', `${root}/${id}/submit`, {
      payload: '{',
      headers: { 'content-type': 'application/json' },
    });

    expect([repeatedReply.statusCode, repeatedReply.json()]).toEqual([200, (await get(id)).json()]);
  });

  test('are listed most recent first, in pages, without their texts', async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      ids.push((await create({ name: `${index}`, format: 'text', content: 'long' })).json().id);
    }

    const firstBody = (await service.call('GET', `${root}?limit=2`)).json();
    const second = (
      await service.call('GET', `${root}?limit=1&cursor=${firstBody.next_cursor}`)
    ).json();

    const listed = [...firstBody.data, ...second.data];
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    const { content: _, ...listedFields } = available;
    expect(listed[0]).toEqual({ ...listedFields, name: '2' });
  });

  test('are deleted with their chunks', async () => {
    const id = await newFile();
    await upload(id, 1, 'x');

    const deleted = await remove(id);

    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    const replies = [await get(id), await upload(id, 2, 'x'), await submit(id), await remove(id)];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
  });

  test('cannot be deleted while agents use them', async () => {
    const id = await newText();
    const agents = [await agentWith(id), await agentWith(id, await newText())];

    const refused = await remove(id);

    expect(refused.statusCode).toBe(409);
    const { detail, agent_id } = refused.json();
    expect(detail).toBe('An agent refers to it. Detach it from the agents first.');
    expect(agent_id.sort()).toEqual(agents.sort());

    const payload = { knowledge_files: [] };
    await service.call('PATCH', `/v1/agents/${agents[0]}`, { payload });
    await service.call('DELETE', `/v1/agents/${agents[1]}`);
    expect((await remove(id)).statusCode).toBe(204);
  });

  test('are created once per Idempotency-Key', async () => {
    const payload = { name: 'Once', format: 'text', content: 'x' };
    const firstReply = await create(payload, { 'idempotency-key': 'file-1' });

    const repeat = await create(payload, { 'idempotency-key': 'file-1' });
    const otherTextReply = await create(
      { ...payload, content: 'y' },
      { 'idempotency-key': 'file-1' },
    );

    expect(repeat.json()).toEqual(firstReply.json());
    expect(otherTextReply.statusCode).toBe(409);
  });

  test('are not accessible to other accounts', async () => {
    const id = await newFile();
    const headers = { 'x-api-key': await service.strangerKey() };

    const replies = await Promise.all([
      service.call('GET', `${root}/${id}`, { headers }),
      service.call('PUT', `${root}/${id}/upload?chunk_number=1`, { headers, payload: 'x' }),
      service.call('POST', `${root}/${id}/submit`, { headers }),
      service.call('DELETE', `${root}/${id}`, { headers }),
    ]);
    const listed = await service.call('GET', root, { headers });

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(listed.json().data).toEqual([]);
  });
});

describe('a chunk', () => {
  test.each(['-1', '1.5', 'one', '', '10000', '1e99', '1&chunk_number=2'])(
    'is refused with the number %o',
    async (number) => {
      const reply = await upload(await newFile(), number, 'x');

      expect(reply.statusCode).toBe(422);
      expect(reply.json().detail[0].loc).toEqual(['query', 'chunk_number']);
    },
  );

  test('requires a number', async () => {
    const id = await newFile();

    const reply = await service.call('PUT', `${root}/${id}/upload`, { payload: 'x' });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0]).toMatchObject({
      type: 'missing',
      loc: ['query', 'chunk_number'],
    });
  });

  test.each([{ body: '' }, { body: undefined }])('is refused if empty: $body', async ({ body }) => {
    const reply = await upload(await newFile(), 1, body);

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0]).toMatchObject({ type: 'missing', loc: ['body'] });
  });

  test('is limited to 8 MiB', async () => {
    const id = await newFile();

    const most = await upload(id, 0, Buffer.alloc(MAX_CHUNK_BYTES, 'x'));
    const tooLongReply = await upload(id, 1, Buffer.alloc(MAX_CHUNK_BYTES + 1, 'x'));

    expect(most.statusCode).toBe(204);
    expect(tooLongReply.statusCode).toBe(413);
    expect(tooLongReply.json()).toMatchObject({ detail: expect.any(String) });
    expect((await submit(id)).json().content).toHaveLength(MAX_CHUNK_BYTES);
  });

  test('is refused once its file is available', async () => {
    const { id } = (await create({ name: 'Prices', format: 'text', content: 'x' })).json();

    const reply = await upload(id, 1, 'y');

    expect(reply.statusCode).toBe(409);
    expect(reply.json().detail).toMatch(/already available/);
  });

  test('requires an existing file', async () => {
    expect((await upload(unknownId, 1, 'x')).statusCode).toBe(404);
    expect((await upload('%00', 1, 'x')).statusCode).toBe(404);
  });
});

async function submitPdf(pdf: Buffer) {
  const id = await newFile('pdf');
  await upload(id, 0, pdf);
  return submit(id);
}

describe('a PDF that ends early', () => {
  test.each([
    ['short', 20],
    ['long, which is sent in parts', 120],
  ])('is available with a warning: %s', async (_, pages) => {
    const lines = Array.from(
      { length: 40 },
      (_, row) =>
        `BT /F 8 Tf 20 ${760 - 18 * row} Td (${row} ${'Eggs cost two. '.repeat(6)}) Tj ET`,
    );
    const pdf = pdfOfPages(Array.from({ length: pages }, () => streamOf(lines.join('\n'))));

    const reply = await submitPdf(pdf.subarray(0, Math.floor(0.9 * pdf.length)));

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      status: 'available',
      content: expect.stringContaining('39 Eggs cost two.'),
      warning: expect.stringContaining('part of its text may be missing'),
    });
    // The warning is about the bytes, which are gone.
    const laterBody = (await get(reply.json().id)).json();
    expect(laterBody).toMatchObject({ content: reply.json().content });
    expect(laterBody).not.toHaveProperty('warning');
  });

  test('is told from a whole one, which has none', async () => {
    expect((await submitPdf(pdfSaying('Eggs', 'Milk'))).json()).not.toHaveProperty('warning');
  });
});

describe('an unreadable file', () => {
  test.each([
    { what: 'no chunk', format: 'text', chunks: {}, says: 'No chunk has been uploaded.' },
    {
      what: 'a missing chunk',
      format: 'text',
      chunks: { 0: 'a', 1: 'b', 3: 'd' },
      says: 'Chunks are missing: 2.',
    },
    {
      what: 'no first chunk',
      format: 'text',
      chunks: { 1: 'b', 2: 'c' },
      says: /^Chunks are missing: 0 \(chunks are numbered from 0/,
    },
    {
      what: 'no text in its PDF',
      format: 'pdf',
      chunks: { 0: pdfOfPages([streamOf('0 0 9 9 re f')]) },
      says: /has no text.*\(OCR\)/,
    },
    {
      what: 'bytes that are not text',
      format: 'text',
      chunks: { 0: Buffer.from([0xff, 0xfe]) },
      says: /not text: they are not valid UTF-8/,
    },
    {
      what: 'text that is not a PDF',
      format: 'pdf',
      chunks: { 0: 'Eggs are two dollars.' },
      says: /not a PDF/,
    },
  ] as const)('has $what', async ({ format, chunks, says }) => {
    const id = await newFile(format);
    for (const [number, bytes] of Object.entries(chunks)) await upload(id, number, bytes);

    const reply = await submit(id);

    expect([reply.statusCode, reply.json().detail]).toEqual([400, expect.stringMatching(says)]);
    expect((await get(id)).json().status).toBe('to-upload');
  });

  test.each([
    { query: '?chunks=3', says: 'Chunks are missing: 2.' },
    { query: '?chunks=1', says: '2 chunks were uploaded, but `chunks` is 1.' },
    { query: '?chunks=2&size=21', says: '20 bytes were uploaded, but `size` is 21.' },
  ])('differs from its stated totals: $query', async ({ query, says }) => {
    const id = await newFile();
    await upload(id, 0, 'x'.repeat(10));
    await upload(id, 1, 'y'.repeat(10));

    const reply = await submit(id, query);

    expect([reply.statusCode, reply.json()]).toMatchObject([400, { detail: says }]);
    expect((await submit(id, '?chunks=2&size=20')).statusCode).toBe(200);
  });

  test('can be replaced and submitted again', async () => {
    const id = await newFile();
    await upload(id, 0, Buffer.from([0xff]));
    await submit(id);

    await upload(id, 0, 'good');

    expect((await submit(id)).json().content).toBe('good');
  });
});

describe('an agent', () => {
  test('is refused a file that is not submitted, until it is', async () => {
    const id = await newFile();
    await upload(id, 0, 'Eggs are two dollars.');
    const { id: agent } = (
      await service.call('POST', '/v1/agents', { payload: { name: 'Jarvis', avatar_id: NORA } })
    ).json();
    const knowledge_files = [await newText(), id];

    const replies = [
      await service.call('POST', '/v1/agents', {
        payload: { name: 'Jarvis', avatar_id: NORA, knowledge_files },
      }),
      await service.call('PATCH', `/v1/agents/${agent}`, { payload: { knowledge_files } }),
    ];

    for (const reply of replies) {
      expect([reply.statusCode, reply.json()]).toMatchObject([
        409,
        {
          detail: 'A knowledge file is not submitted yet. Submit it before an agent uses it.',
          knowledge_files: [id],
        },
      ]);
    }
    await submit(id);
    const patched = await service.call('PATCH', `/v1/agents/${agent}`, {
      payload: { knowledge_files },
    });
    expect(patched.statusCode).toBe(204);
  });
});

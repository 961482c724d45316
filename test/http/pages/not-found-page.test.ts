import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sendNotFoundPage } from '../../../src/http/pages/not-found-page.ts';

/** Headers of Chromium when it opens an address. */
const OPENS = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let folder: string;
let app: FastifyInstance;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-not-found-'));
  const file = path.join(folder, '404.html');
  await writeFile(file, '<title>Page not found</title>');
  app = fastify();
  app.setNotFoundHandler(async (request, reply) => {
    if (await sendNotFoundPage(request, reply, file)) return reply;
    return reply.code(404).send({ detail: 'for programs' });
  });
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

describe('an unknown path', () => {
  test('is a page for a browser', async () => {
    const reply = await app.inject({ url: '/nothing', headers: { accept: OPENS } });

    expect(reply.statusCode).toBe(404);
    expect(reply.body).toContain('Page not found');
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test.each([
    { who: 'fetch and curl', method: 'GET', accept: '*/*' },
    { who: 'the API', method: 'GET', accept: 'application/json' },
    { who: 'a form', method: 'POST', accept: OPENS },
  ] as const)('is JSON for $who', async ({ method, accept }) => {
    const reply = await app.inject({ method, url: '/nothing', headers: { accept } });

    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({ detail: 'for programs' });
  });

  test('is JSON for everybody while the documentation is not built', async () => {
    await rm(path.join(folder, '404.html'));

    const reply = await app.inject({ url: '/nothing', headers: { accept: OPENS } });

    expect(reply.json()).toEqual({ detail: 'for programs' });
  });
});

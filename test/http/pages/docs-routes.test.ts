import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageRoutes } from '../../../src/http/pages/page-routes.ts';

let folder: string;
let app: FastifyInstance;

const files = {
  'index.html': '<title>Try</title>',
  'assets/try.js': '',
  'docs/index.html': '<title>Docs</title>',
  'docs/concepts/index.html': '<title>Concepts</title>',
  'docs/coming-from/tavus/index.html': '<title>Tavus</title>',
  'docs/concepts.md': '# Concepts\n',
  'docs/llms.txt': '# Troupe\n',
  'docs/service-address.js': '',
  'docs/_astro/page.1a2b.css': 'a {}',
  'docs/pagefind/pagefind.js': '',
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-docs-'));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  app = fastify();
  await app.register(pageRoutes({ folder }));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

describe('the documentation', () => {
  test.each([
    ['/docs', 'text/html', 'Docs'],
    ['/docs/concepts', 'text/html', 'Concepts'],
    ['/docs/coming-from/tavus', 'text/html', 'Tavus'],
    ['/docs/concepts.md', 'text/markdown', '# Concepts'],
    ['/docs/llms.txt', 'text/plain', '# Troupe'],
    ['/llms.txt', 'text/plain', '# Troupe'],
  ])('%s has the headers of a page', async (url, type, text) => {
    const reply = await app.inject(url);

    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain(text);
    expect(reply.headers['content-type']).toContain(type);
    expect(reply.headers['cache-control']).toBe('no-cache');
    expect(reply.headers['content-security-policy']).toContain("style-src 'self';");
  });

  test.each([
    ['/docs/_astro/page.1a2b.css', 'public, max-age=31536000, immutable'],
    ['/docs/pagefind/pagefind.js', 'no-cache'],
  ])('%s is cached as its name allows', async (url, caching) => {
    const reply = await app.inject(url);

    expect(reply.statusCode).toBe(200);
    expect(reply.headers['cache-control']).toBe(caching);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    '/docs/nothing',
    '/docs/nothing.md',
    '/docs/_astro/none.css',
    '/docs/_astro/../../../index.html',
    '/docs/_astro/%2e%2e/%2e%2e/index.html',
  ])('%s is not found', async (url) => {
    expect((await app.inject(url)).statusCode).toBe(404);
  });

  test('that is not built yet says so', async () => {
    await using bare = fastify();
    const without = await mkdtemp(path.join(tmpdir(), 'troupe-docs-'));
    await mkdir(path.join(without, 'assets'));
    await writeFile(path.join(without, 'index.html'), '');
    await bare.register(pageRoutes({ folder: without }));

    const reply = await bare.inject('/docs');
    await rm(without, { recursive: true });

    expect(reply.statusCode).toBe(503);
    expect(reply.headers['refresh']).toBe('5');
    expect(reply.body).toContain('npm run build:pages');
  });
});

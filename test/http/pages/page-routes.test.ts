import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageRoutes } from '../../../src/http/pages/page-routes.ts';
import { writeCompressed } from '../../../src/start/build/compressed-files.ts';

const LARGE = '// The same line again and again.\n'.repeat(100);

const AGENT = '5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401';
const originsOf = async (agentId: string) =>
  agentId === AGENT ? ['https://www.example.com', 'https://*.example.org'] : [];

let folder: string;
let app: FastifyInstance;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-pages-'));
  await mkdir(path.join(folder, 'docs'));
  await mkdir(path.join(folder, 'assets'));
  await writeFile(path.join(folder, 'index.html'), '<title>Front</title>');
  await mkdir(path.join(folder, 'try'));
  await writeFile(path.join(folder, 'try/index.html'), '<title>Try</title>');
  await writeFile(path.join(folder, 'docs/index.html'), '<title>Docs</title>');
  await mkdir(path.join(folder, 'room'));
  await writeFile(path.join(folder, 'room/index.html'), '<title>Room</title>');
  await mkdir(path.join(folder, 'console'));
  await writeFile(path.join(folder, 'console/index.html'), '<title>Console</title>');
  await writeFile(path.join(folder, 'assets/try-3f2a.js'), 'export {}');
  await writeFile(path.join(folder, 'assets/large-77e0.js'), LARGE);
  await writeFile(path.join(folder, 'docs/guide.md'), LARGE);
  await writeFile(path.join(folder, 'assets/voice-9c1b.wasm'), new Uint8Array([0, 97, 115, 109]));
  await mkdir(path.join(folder, 'embed'));
  await writeFile(path.join(folder, 'embed/index.html'), '<title>Frame</title>');
  await mkdir(path.join(folder, 'embed/refused'));
  await writeFile(path.join(folder, 'embed/refused/index.html'), '<title>Refused</title>');
  await writeFile(path.join(folder, 'embed.js'), 'export {}');
  await writeCompressed(folder);
  app = fastify();
  await app.register(pageRoutes({ folder, originsOf, mediaServerUrl: 'ws://127.0.0.1:7880' }));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const csp = async (mediaServerUrl?: string) => {
  const otherServer = fastify();
  await otherServer.register(pageRoutes({ folder, originsOf, mediaServerUrl }));
  const { headers } = await otherServer.inject('/');
  await otherServer.close();
  return String(headers['content-security-policy']);
};

const ancestors = async (url: string) =>
  /frame-ancestors [^;]*/.exec(
    String((await app.inject(url)).headers['content-security-policy']),
  )?.[0];

const OWN_SOURCES = "'self' ws://127.0.0.1:7880 http://127.0.0.1:7880";

describe('pages', () => {
  test.each([
    ['/', 'Front'],
    ['/try', 'Try'],
    ['/docs', 'Docs'],
    ['/5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401', 'Room'],
    ['/console', 'Console'],
    ['/console/sessions/5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401', 'Console'],
  ])('%s serves a page that is revalidated on each request', async (url, title) => {
    const reply = await app.inject(url);

    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain(title);
    expect(reply.headers['content-type']).toMatch('text/html');
    expect(reply.headers['cache-control']).toBe('no-cache');
  });

  test('the console runs no inline code, connects to this service and its media server only, and fits in no frame', async () => {
    const { headers } = await app.inject('/console');

    const policy = String(headers['content-security-policy']);
    expect(policy).toContain(`connect-src ${OWN_SOURCES};`);
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(policy).toContain("frame-src 'self';");
  });

  test.each([
    ['wss://media.example', ' wss://media.example https://media.example'],
    ['ws://192.0.2.1:7881', ' ws://192.0.2.1:7881 http://192.0.2.1:7881'],
    ['wss://[2001:db8::1]:443', ' wss://[2001:db8::1] https://[2001:db8::1]'],
    ['wss://a;script-src', ''],
    ['https://media.example', ''],
    ['media.example', ''],
  ])('the playground of the console connects to the named server: %s', async (server, sources) => {
    const query = new URLSearchParams({ server });
    const { headers } = await app.inject(`/console/playground?${query}`);
    const other = await app.inject(`/console/sessions?${query}`);

    expect(headers['content-security-policy']).toContain(`connect-src ${OWN_SOURCES}${sources};`);
    expect(other.headers['content-security-policy']).toContain(`connect-src ${OWN_SOURCES};`);
  });

  test('an unknown path of the API of the console is not its page', async () => {
    const { statusCode, headers } = await app.inject('/console/api/nothing');

    expect(statusCode).toBe(404);
    expect(headers['content-type']).toMatch('application/json');
  });

  test('an unchanged page answers 304', async () => {
    const firstReply = await app.inject('/');
    const repeatedReply = await app.inject({
      url: '/',
      headers: { 'if-none-match': String(firstReply.headers.etag) },
    });

    expect(repeatedReply.statusCode).toBe(304);
  });

  test.each([
    ['/assets/try-3f2a.js', 'javascript'],
    ['/assets/voice-9c1b.wasm', 'application/wasm'],
  ])('%s is cached for ever', async (url, type) => {
    const reply = await app.inject(url);

    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.headers['content-type']).toMatch(type);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  });

  test.each([
    ['/assets/large-77e0.js', 'javascript', 'public, max-age=31536000, immutable'],
    ['/docs/guide.md', 'text/markdown', 'no-cache'],
  ])('%s is sent as it was compressed by the build', async (url, type, caching) => {
    const get = (accepted: string) => app.inject({ url, headers: { 'accept-encoding': accepted } });

    const replies = {
      br: await get('gzip, deflate, br, zstd'),
      gzip: await get('gzip, deflate'),
      none: await get('identity'),
      unwanted: await get('br;q=0, gzip;q=0'),
    };

    expect(brotliDecompressSync(replies.br.rawPayload).toString()).toBe(LARGE);
    expect(gunzipSync(replies.gzip.rawPayload).toString()).toBe(LARGE);
    expect(replies.none.body).toBe(LARGE);
    expect(replies.unwanted.body).toBe(LARGE);
    expect(replies.br.headers['content-encoding']).toBe('br');
    expect(replies.gzip.headers['content-encoding']).toBe('gzip');
    expect(replies.none.headers['content-encoding']).toBeUndefined();
    for (const { headers } of Object.values(replies)) {
      expect(headers['content-type']).toMatch(type);
      expect(headers['cache-control']).toBe(caching);
      expect(headers['vary']).toMatch(/accept-encoding/i);
    }
    const { br, gzip, none: plain } = replies;
    expect(new Set([br, gzip, plain].map(({ headers }) => headers['etag'])).size).toBe(3);
  });

  test('a compressed file that is unchanged answers 304', async () => {
    const url = '/assets/large-77e0.js';
    const firstReply = await app.inject({ url, headers: { 'accept-encoding': 'br' } });

    const repeatedReply = await app.inject({
      url,
      headers: { 'accept-encoding': 'br', 'if-none-match': String(firstReply.headers['etag']) },
    });

    expect(repeatedReply.statusCode).toBe(304);
    expect(repeatedReply.rawPayload).toHaveLength(0);
  });

  test.each([
    '/assets/none.js',
    '/index.html',
    '/nobody',
    '/assets/../../package.json',
    '/%2e%2e/x',
  ])('%s is not found', async (url) => {
    const reply = await app.inject(url);

    expect(reply.statusCode).toBe(404);
  });

  test('a page may run own scripts and WebAssembly, and connect to the media server', async () => {
    const policy = await csp('ws://127.0.0.1:7880');

    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:7880 http://127.0.0.1:7880;");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('a page connects to a secure media server over TLS only', async () => {
    expect(await csp('https://media.example.com')).toContain(
      "connect-src 'self' wss://media.example.com https://media.example.com;",
    );
    expect(await csp()).toContain("connect-src 'self';");
  });

  test('a page may request the microphone only', async () => {
    const { headers } = await app.inject('/');

    expect(headers['permissions-policy']).toBe(
      'camera=(), microphone=(self), geolocation=(), display-capture=()',
    );
  });

  test('the room page may also request the camera', async () => {
    const { headers } = await app.inject('/5c1e8a52-6f0b-4d3e-9a57-1b7d2f90c401');

    expect(headers['permissions-policy']).toContain('camera=(self), microphone=(self)');
  });

  test('only own and allowed pages may frame the room page made for frames', async () => {
    expect(await ancestors(`/embed/${AGENT}`)).toBe(
      "frame-ancestors 'self' https://www.example.com https://*.example.org",
    );
    expect(await ancestors(`/embed/${AGENT.replace('5', '6')}`)).toBe("frame-ancestors 'self'");
    expect(await ancestors(`/${AGENT}`)).toBe("frame-ancestors 'none'");
  });

  const framedBy = (referer: string | undefined, site = 'cross-site', dest = 'iframe') =>
    app.inject({
      url: `/embed/${AGENT}`,
      headers: { 'sec-fetch-dest': dest, 'sec-fetch-site': site, ...(referer && { referer }) },
    });

  test.each([
    ['https://www.example.com/shop', 'cross-site'],
    ['https://shop.example.org/', 'cross-site'],
    ['http://localhost:8080/console', 'same-origin'],
    // `frame-ancestors` decides.
    [undefined, 'cross-site'],
  ])('an agent is shown in a frame of %s (%s)', async (referer, site) => {
    const reply = await framedBy(referer, site);

    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain('Frame');
    expect(reply.headers['content-security-policy']).not.toContain('frame-ancestors *');
  });

  test.each(['https://example.com/', 'https://www.example.com:8443/', 'http://www.example.com/'])(
    'a frame of %s, which is not allowed, says so',
    async (referer) => {
      const reply = await framedBy(referer);

      expect(reply.statusCode).toBe(403);
      expect(reply.body).toContain('Refused');
      expect(reply.headers['content-security-policy']).toContain('frame-ancestors *');
    },
  );

  test('a link of another page leads to an agent', async () => {
    const reply = await framedBy('https://example.com/', 'cross-site', 'document');

    expect(reply.body).toContain('Frame');
  });

  test.each([
    ['/embed.js', 'no-cache'],
    ['/assets/try-3f2a.js', 'public, max-age=31536000, immutable'],
  ])('pages of other origins load %s as a module', async (url, caching) => {
    const { headers } = await app.inject(url);

    expect(headers['access-control-allow-origin']).toBe('*');
    expect(headers['content-type']).toMatch('javascript');
    expect(headers['cache-control']).toBe(caching);
  });

  test.each(['/', '/try', `/${AGENT}`, `/embed/${AGENT}`])(
    'pages of other origins cannot read %s',
    async (url) => {
      const { headers } = await app.inject(url);

      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  test('pages that are not built answer with the build command', async () => {
    const bare = fastify();
    await bare.register(pageRoutes({ folder: path.join(folder, 'nowhere') }));

    const reply = await bare.inject('/');
    await bare.close();

    expect(reply.statusCode).toBe(503);
    expect(reply.body).toContain('npm run build:pages');
  });
});

/// <reference types="@fastify/swagger" />
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { isAllowedOrigin } from '../agents/agent-origins.ts';
import { docsRoutes } from './docs-routes.ts';
import type { OriginsOfAgent } from '../auth/origins.ts';
import { devicesOf, pageHeaders } from './page-headers.ts';

type PagesOptions = {
  /** Media server address as browsers see it: the only other origin a page may connect to. */
  mediaServerUrl?: string | undefined;
  /** By default no page may frame an agent. */
  originsOf?: OriginsOfAgent;
  /** Folder of the built pages; by default the output of `npm run build:pages`. */
  folder?: string;
};

const builtPages = fileURLToPath(new URL('../../web/dist/', import.meta.url));

/** Room page of the agent with this id. The page itself checks that the agent exists. */
const ROOM_PATH = '/:id(^[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}$)';
/**
 * The room page made for frames: only of the console, and of the pages that the agent's owner
 * allows.
 */
const FRAME_PATH = `/embed${ROOM_PATH}`;

/** Pages of other origins load these files as modules. */
const forAnyPage = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** The front page and the developer view. */
const OWN_PAGES = [
  ['/', 'index.html'],
  ['/try', 'try/index.html'],
] as const;

/** The page reads the rest of the path itself. */
const CONSOLE_PATHS = ['/console', '/console/*'];

/**
 * Serves the built pages. Names under /assets contain a content hash, so they are cached
 * permanently.
 */
export const pageRoutes =
  ({
    mediaServerUrl,
    originsOf = async () => [],
    folder = builtPages,
  }: PagesOptions): FastifyPluginAsync =>
  async (app) => {
    if (!existsSync(`${folder}/index.html`)) return serveBuildHint(app);

    const connects = mediaServerUrl ? mediaServerSources(mediaServerUrl) : [];
    const headers = pageHeaders(connects);
    const inCalls = { 'permissions-policy': devicesOf('camera', 'microphone') };
    // It frames the page of an agent for a test call.
    const ofConsole = (otherSources: readonly string[] = []) => ({
      ...pageHeaders([...connects, ...otherSources], { hasOwn: true }),
      ...inCalls,
    });
    await app.register(fastifyStatic, {
      root: `${folder}/assets`,
      prefix: '/assets/',
      index: false,
      // The build writes them. Also holds for `sendFile` below.
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      // Also called for the pages, which other origins do not read.
      setHeaders: (reply, file) =>
        void reply.headers({
          'x-content-type-options': 'nosniff',
          ...(/\.html/.test(file) ? {} : forAnyPage),
        }),
    });

    app.get(ROOM_PATH, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({ ...headers, ...inCalls })
        .sendFile('room/index.html', folder, { cacheControl: false }),
    );
    app.get<{ Params: { id: string } }>(
      FRAME_PATH,
      { schema: { hide: true } },
      async (request, reply) => {
        const origins = await originsOf(request.params.id, request);
        if (isFramedElsewhere(request, origins)) {
          return reply
            .code(403)
            .headers(pageHeaders([], { ancestors: ['*'] }))
            .sendFile('embed/refused/index.html', folder, { cacheControl: false });
        }
        const ancestors = ["'self'", ...origins];
        return reply
          .headers({ ...pageHeaders(connects, { ancestors }), ...inCalls })
          .sendFile('embed/index.html', folder, { cacheControl: false });
      },
    );
    app.get('/embed.js', { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({ ...forAnyPage, 'cache-control': 'no-cache' })
        .sendFile('embed.js', folder, { cacheControl: false }),
    );
    for (const path of CONSOLE_PATHS) {
      app.get<ConsoleRequest>(path, { schema: { hide: true } }, (request, reply) => {
        const page = request.params['*'];
        // An unknown path of its API is an error for programs.
        if (page?.startsWith('api/')) return reply.callNotFound();
        const { server } = request.query;
        const otherSources = page === 'playground' && server ? namedServerSources(server) : [];
        return reply
          .headers(ofConsole(otherSources))
          .sendFile('console/index.html', folder, { cacheControl: false });
      });
    }
    await app.register(docsRoutes({ folder: `${folder}/docs`, headers }));
    for (const [path, file] of OWN_PAGES) {
      app.get(path, { schema: { hide: true } }, (_request, reply) =>
        reply.headers(headers).sendFile(file, folder, { cacheControl: false }),
      );
    }
  };

/**
 * Whether a page that is not allowed has framed the agent. Its frame gets a page that says so,
 * because browsers show an error of their own for `frame-ancestors`, which stands behind this.
 */
function isFramedElsewhere({ headers }: FastifyRequest, origins: readonly string[]): boolean {
  const isFrame = headers['sec-fetch-dest'] === 'iframe';
  if (!isFrame || headers['sec-fetch-site'] === 'same-origin') return false;
  const parent = URL.parse(headers.referer ?? '');
  return parent !== null && !isAllowedOrigin(parent.origin, origins);
}

function serveBuildHint(app: FastifyInstance): void {
  const paths = [
    ...OWN_PAGES.map(([path]) => path),
    '/docs',
    '/docs/*',
    '/embed.js',
    ...CONSOLE_PATHS,
    FRAME_PATH,
    ROOM_PATH,
  ];
  for (const path of paths) {
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The pages are not built yet. Run `npm run build:pages`, then start again.\n'),
    );
  }
}

/** `server`: where the playground joins a room of another media server. */
type ConsoleRequest = { Params: { '*'?: string }; Querystring: { server?: string } };

/** Empty unless the text is the address of a host: it must add nothing else to the policy. */
function namedServerSources(address: string): string[] {
  const url = URL.parse(address);
  const isHost = /^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?$/.test(url?.host ?? '');
  return url && isHost && /^wss?:$/.test(url.protocol) ? mediaServerSources(url.href) : [];
}

/** Signalling uses a websocket; when refused, the client asks for the reason over HTTP. */
function mediaServerSources(mediaServerUrl: string): string[] {
  const url = new URL(mediaServerUrl);
  const isSecure = /^(wss|https):$/.test(url.protocol);
  return isSecure
    ? [`wss://${url.host}`, `https://${url.host}`]
    : [`ws://${url.host}`, `http://${url.host}`];
}

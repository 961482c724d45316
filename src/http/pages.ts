/// <reference types="@fastify/swagger" />
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { docsRoutes } from './docs/docs-routes.ts';
import { devicesOf, pageHeaders } from './page-headers.ts';

type PagesOptions = {
  /** Media server address as browsers see it: the only other origin a page may connect to. */
  mediaServerUrl?: string | undefined;
  /** Folder of the built pages; by default the output of `npm run build:pages`. */
  folder?: string;
};

const builtPages = fileURLToPath(new URL('../web/dist/', import.meta.url));

/** Room page of the agent with this id. The page itself checks that the agent exists. */
const ROOM_PATH = '/:id(^[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}$)';

/**
 * Serves the built pages. Names under /assets contain a content hash, so they are cached
 * permanently.
 */
export const pageRoutes =
  ({ mediaServerUrl, folder = builtPages }: PagesOptions): FastifyPluginAsync =>
  async (app) => {
    if (!existsSync(`${folder}/index.html`)) return serveBuildHint(app);

    const headers = pageHeaders(mediaServerUrl ? mediaServerSources(mediaServerUrl) : []);
    await app.register(fastifyStatic, {
      root: `${folder}/assets`,
      prefix: '/assets/',
      index: false,
      // The build writes them. Also holds for `sendFile` below.
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      setHeaders: (reply) => void reply.header('x-content-type-options', 'nosniff'),
    });

    app.get(ROOM_PATH, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({ ...headers, 'permissions-policy': devicesOf('camera', 'microphone') })
        .sendFile('room/index.html', folder, { cacheControl: false }),
    );
    await app.register(docsRoutes({ folder: `${folder}/docs`, headers }));
    app.get('/', { schema: { hide: true } }, (_request, reply) =>
      reply.headers(headers).sendFile('index.html', folder, { cacheControl: false }),
    );
  };

function serveBuildHint(app: FastifyInstance): void {
  for (const path of ['/', '/docs', '/docs/*', ROOM_PATH]) {
    app.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply
        .code(503)
        .type('text/plain; charset=utf-8')
        .send('The pages are not built yet. Run `npm run build:pages`, then start again.\n'),
    );
  }
}

/** Signalling uses a websocket; when refused, the client asks for the reason over HTTP. */
function mediaServerSources(mediaServerUrl: string): string[] {
  const url = new URL(mediaServerUrl);
  const isSecure = /^(wss|https):$/.test(url.protocol);
  return isSecure
    ? [`wss://${url.host}`, `https://${url.host}`]
    : [`ws://${url.host}`, `http://${url.host}`];
}

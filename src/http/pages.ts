/// <reference types="@fastify/swagger" />
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { devicesOf, pageHeaders } from './page-headers.ts';

type PagesOptions = {
  /** Media server address as browsers see it: the only other origin a page may connect to. */
  mediaServerUrl?: string | undefined;
  /** Folder of the built pages; by default the output of `npm run build:pages`. */
  folder?: string;
};

const builtPages = fileURLToPath(new URL('../web/dist/', import.meta.url));

const pages = {
  '/': 'index.html',
  '/docs': 'docs/index.html',
  '/docs/coming-from': 'docs/coming-from/index.html',
  '/docs/botroom': 'docs/botroom/index.html',
  '/docs/own-avatar': 'docs/own-avatar/index.html',
  '/docs/agents': 'docs/agents/index.html',
  '/docs/limits': 'docs/limits/index.html',
  '/docs/webhooks': 'docs/webhooks/index.html',
  '/docs/fleet': 'docs/fleet/index.html',
  '/docs/kubernetes': 'docs/kubernetes/index.html',
  '/docs/systemd': 'docs/systemd/index.html',
  '/docs/alerts': 'docs/alerts/index.html',
  '/docs/one-machine': 'docs/one-machine/index.html',
  '/docs/upgrade': 'docs/upgrade/index.html',
  '/docs/disasters': 'docs/disasters/index.html',
  '/docs/security': 'docs/security/index.html',
  '/docs/worker-protocol': 'docs/worker-protocol/index.html',
};

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

    await app.register(fastifyStatic, {
      root: `${folder}/assets`,
      prefix: '/assets/',
      index: false,
      immutable: true,
      maxAge: '365d',
      setHeaders: (reply) => void reply.header('x-content-type-options', 'nosniff'),
    });

    const headers = pageHeaders(mediaServerUrl ? mediaServerSources(mediaServerUrl) : []);
    app.get(ROOM_PATH, { schema: { hide: true } }, (_request, reply) =>
      reply
        .headers({ ...headers, 'permissions-policy': devicesOf('camera', 'microphone') })
        .sendFile('room/index.html', folder, { cacheControl: false }),
    );
    for (const [path, file] of Object.entries(pages)) {
      app.get(path, { schema: { hide: true } }, (_request, reply) =>
        reply.headers(headers).sendFile(file, folder, { cacheControl: false }),
      );
    }
  };

function serveBuildHint(app: FastifyInstance): void {
  for (const path of [...Object.keys(pages), ROOM_PATH]) {
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

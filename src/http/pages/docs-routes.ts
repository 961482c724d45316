/// <reference types="@fastify/static" />
/// <reference types="@fastify/swagger" />
import { existsSync } from 'node:fs';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';

type DocsOptions = {
  /** Folder of the built documentation. It appears, and changes, while the service runs. */
  folder: string;
  /** Headers of every page. */
  headers: Record<string, string>;
};

const hidden = { schema: { hide: true } };
const FOR_EVER = 'public, max-age=31536000, immutable';

/**
 * Serves the built documentation, each page also as Markdown. The static plugin of the parent sends
 * the files.
 */
export function docsRoutes({ folder, headers }: DocsOptions): FastifyPluginAsync {
  const send = (reply: FastifyReply, file: string) => {
    if (!existsSync(`${folder}/index.html`)) return sendHint(reply);
    // These names contain a content hash.
    const caching = file.startsWith('_astro/') ? FOR_EVER : 'no-cache';
    return reply
      .headers({ ...headers, 'cache-control': caching })
      .sendFile(file, folder, { cacheControl: false });
  };
  return async (app) => {
    app.get('/docs', hidden, (_request, reply) => send(reply, 'index.html'));
    app.get('/docs/*', hidden, (request, reply) => send(reply, fileOf(request)));
    app.get('/llms.txt', hidden, (_request, reply) => send(reply, 'llms.txt'));
  };
}

/** Pages are folders; all other files have an ending. */
function fileOf(request: FastifyRequest): string {
  const { '*': name } = request.params as { '*': string };
  return /\.\w+$/.test(name) ? name : `${name}/index.html`;
}

const sendHint = (reply: FastifyReply) =>
  reply
    .code(503)
    .type('text/plain; charset=utf-8')
    // Browsers ask again by themselves.
    .header('refresh', '5')
    .send(
      'The documentation is being built and appears here in a minute. If it does not come, run `npm run build:pages`.\n',
    );

import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync } from 'fastify';
import { Fault } from '../../errors.ts';
import type { Services } from '../services.ts';

/**
 * Pictures need no key, because pages show them. The ids of an account's own avatars cannot be
 * guessed.
 */
export const pictureRoutes =
  ({ avatars }: Services): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Params: { id: string } }>(
      '/avatars/:id/picture',
      { schema: { hide: true } },
      async (request, reply) => {
        const source = await avatars.picture(request.params.id);
        if (!source) throw new Fault('not_found');
        const isOwn = 'bytes' in source;
        const picture = isOwn ? Buffer.from(source.bytes) : await readBuiltIn(source.file);
        return (
          reply
            .type('image/webp')
            // A short lifetime, so that a deleted picture soon leaves all caches.
            .header('cache-control', isOwn ? 'private, max-age=60' : 'public, max-age=3600')
            .header('x-content-type-options', 'nosniff')
            .send(picture)
        );
      },
    );
  };

async function readBuiltIn(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Fault('not_found', { cause });
  }
}

import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsync } from 'fastify';
import type { Avatars } from '../../avatars/avatars.ts';
import { Fault } from '../../errors.ts';

/**
 * Pictures need no key: pages show them. That of an account's own avatar is found by whoever knows its id, which nobody can guess and only the
 * account is told.
 */
export const pictureRoutes =
  (avatars: Pick<Avatars, 'picture'>): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Params: { id: string } }>(
      '/avatars/:id/picture',
      { schema: { hide: true } },
      async (request, reply) => {
        const found = await avatars.picture(request.params.id);
        if (!found) throw new Fault('not_found');
        const isOwn = 'bytes' in found;
        const picture = isOwn ? Buffer.from(found.bytes) : await readBuiltIn(found.file);
        return (
          reply
            .type('image/webp')
            // What an account deletes is soon gone everywhere.
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

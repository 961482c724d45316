import type { FastifyPluginAsync } from 'fastify';
import { Fault } from '../../errors.ts';
import { logoKindOf } from './agent-appearance.ts';
import type { Services } from '../services.ts';

/** Logos need no key, because pages show them. The ids of agents cannot be guessed. */
export const logoRoutes =
  ({ records: { agents, blobs } }: Services): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Params: { id: string } }>(
      '/agents/:id/logo',
      { schema: { hide: true } },
      async (request, reply) => {
        const agent = await agents.get(request.params.id);
        const hash = agent?.appearance.logoHash ?? null;
        const logo = hash === null ? null : await blobs.read(hash);
        const kind = logo && logoKindOf(logo);
        if (!logo || !kind) throw new Fault('not_found');
        return (
          reply
            .type(`image/${kind}`)
            // A short lifetime, so that a deleted logo soon leaves all caches.
            .header('cache-control', 'private, max-age=60')
            .header('x-content-type-options', 'nosniff')
            .send(Buffer.from(logo))
        );
      },
    );
  };

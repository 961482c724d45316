import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Fault, problem } from '../../errors.ts';
import { DEFAULT_POOL } from '../../fleet/fleet.ts';
import type { Auditor } from '../audit/auditor.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import { fleetDoc } from './fleet-schemas.ts';
import {
  OutsideSessionList,
  OverflowBody,
  OverflowList,
  OverflowRequest,
  PoolQuery,
  toOutsideSessionBody,
  toOverflow,
  toOverflowBody,
  toOverflowSettings,
} from './overflow-schemas.ts';
import type { Services } from '../services.ts';

const PATH = '/v1/fleet/overflow';
const SHOWN = 100;
const KEY_NEEDED = 'Field required: a new overflow, and a new origin in the url, need the API key.';

export const overflowRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(readRoutes(services));
    await app.register(setRoute(services));
    await app.register(removeRoute(services));
  };

const readRoutes =
  ({ overflow: { pools }, records: { outsideSessions } }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      PATH,
      {
        schema: {
          ...fleetDoc,
          summary: 'List overflows',
          description:
            'The outside services that take sessions of full pools, with what they cost and why they take no more.',
          response: { 200: answer(OverflowList, 'The overflows.'), ...errors(401) },
        },
      },
      async () => {
        await pools.refresh();
        return { data: pools.known.map(toOverflowBody) };
      },
    );

    app.get(
      `${PATH}/sessions`,
      {
        schema: {
          ...fleetDoc,
          summary: 'List sessions of an overflow',
          description: `The newest ${SHOWN} sessions at the outside service of a pool.`,
          querystring: PoolQuery,
          response: { 200: answer(OutsideSessionList, 'The sessions.'), ...errors(401, 422) },
        },
      },
      async ({ query: { pool = DEFAULT_POOL } }) => ({
        data: (await outsideSessions.recent(pool, SHOWN)).map(toOutsideSessionBody),
      }),
    );
  };

const setRoute =
  ({ overflow, outgoing, auditor, clock }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.put(
      PATH,
      {
        schema: {
          ...fleetDoc,
          summary: 'Set an overflow',
          description:
            'Sessions that find no free slot in the pool are created at an outside service with this interface, within a cost ceiling. Its address cannot change while sessions are open there.',
          body: named(OverflowRequest),
          response: { 200: answer(OverflowBody, 'The overflow.'), ...errors(401, 409, 422) },
        },
      },
      async (request) => {
        const { body } = request;
        const settings = toOverflow(body);
        const { pool } = settings;
        const refused = outgoing.checkUrl(body.url) ?? (await outgoing.mayReach(body.url));
        if (refused) throw problem('value_error', ['body', 'url'], refused, body.url);
        const change = {
          action: 'overflow.set',
          targetId: pool,
          accountId: null,
          newSecrets: body.api_key === undefined ? [] : ['api_key'],
          read: async (records) => {
            const storedOverflow = await records.overflows.find(pool);
            return storedOverflow && toOverflowSettings(storedOverflow);
          },
        } satisfies Parameters<Auditor['around']>[1];
        await auditor.around(request, change, async (records) => {
          if (await records.overflows.set(settings, body.api_key, clock.now())) return true;
          throw problem('missing', ['body', 'api_key'], KEY_NEEDED, null);
        });
        await overflow.pools.refresh();
        request.log.info({ pool }, 'overflow set');
        const status = overflow.pools.known.find((each) => each.overflow.pool === pool);
        if (!status) throw new Fault('conflict', { detail: 'The overflow was just removed.' });
        return toOverflowBody(status);
      },
    );
  };

const removeRoute =
  ({ overflow, auditor }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      PATH,
      {
        schema: {
          ...fleetDoc,
          summary: 'Remove an overflow',
          description: 'Refused while sessions are open there: set `max_sessions` to 0 first.',
          querystring: PoolQuery,
          response: {
            204: Type.Null({ description: 'Removed.' }),
            ...errors(401, 404, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { pool = DEFAULT_POOL } = request.query;
        const removed = { action: 'overflow.removed', targetId: pool, accountId: null } as const;
        const isRemoved = await auditor.change(request, removed, (records) =>
          records.overflows.remove(pool),
        );
        if (!isRemoved) throw new Fault('not_found');
        await overflow.pools.refresh();
        return reply.code(204).send(null);
      },
    );
  };

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Fault } from '../../errors.ts';
import type { Services } from '../services.ts';
import { CHECK_STATUSES, DEPENDENCIES } from './dependency-checks.ts';

const ReadinessBody = Type.Object({
  ready: Type.Boolean(),
  media_server: Type.Boolean(),
  free_slots: Type.Integer(),
  checks: Type.Partial(
    Type.Object(
      Object.fromEntries(
        DEPENDENCIES.map((name) => [
          name,
          Type.Object({ status: Type.Enum([...CHECK_STATUSES]), ms: Type.Number() }),
        ]),
      ),
    ),
  ),
});

export const healthRoutes =
  ({ readiness: { checks, freeSlots } }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Liveness.
    app.get(
      '/healthz',
      {
        logLevel: 'warn',
        schema: { hide: true, response: { 200: Type.Object({ status: Type.String() }) } },
      },
      async () => ({ status: 'ok' }),
    );

    // Readiness: a session created now would get a slot. Health checks of control planes exclude
    // `workers`, which could otherwise never connect to the first one.
    app.get(
      '/readyz',
      {
        logLevel: 'warn',
        schema: {
          hide: true,
          querystring: Type.Object({ exclude: Type.Optional(Type.String()) }),
          response: { 200: ReadinessBody, 503: ReadinessBody },
        },
      },
      async ({ query }, reply) => {
        const excluded = readExcluded(query.exclude);
        const results = await checks.run();
        const ready = Object.entries(results).every(
          ([name, { status }]) => status === 'ok' || excluded.has(name),
        );
        return reply.code(ready ? 200 : 503).send({
          ready,
          media_server: results.media_server?.status === 'ok',
          free_slots: results.workers?.status === 'ok' ? freeSlots() : 0,
          checks: results,
        });
      },
    );
  };

/** The dependencies that do not count: `workers,media_server`. */
function readExcluded(text: string | undefined): Set<string> {
  const names = new Set(text?.split(',').map((name) => name.trim()));
  const unknown = [...names].find(
    (name) => !DEPENDENCIES.some((dependency) => dependency === name),
  );
  if (unknown === undefined) return names;
  const msg = `Input should be a list of ${DEPENDENCIES.join(', ')}, separated by commas`;
  throw new Fault('invalid_request', {
    problems: [{ type: 'enum', loc: ['query', 'exclude'], msg, input: text }],
  });
}

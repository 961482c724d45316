import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { Fault } from '../../errors.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Rooms } from '../../rooms/rooms.ts';
import { CHECK_STATUSES, DEPENDENCIES, DependencyChecks, type Check } from './dependency-checks.ts';

export type HealthParts = {
  rooms: Pick<Rooms, 'isUp'>;
  fleet: Pick<Fleet, 'counts'>;
  /** Further checks. Null: the service does not use it. */
  dependencies: { database: Check; redis: Check | null; gateway: Check; disk: Check | null };
  clock: Clock;
  log: Pick<Log, 'warn' | 'info'>;
};

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

/** `freeSlots` is that of the last run. */
export type Readiness = { checks: DependencyChecks; freeSlots: () => number };

export function readinessOf({ rooms, fleet, dependencies, clock, log }: HealthParts): Readiness {
  let freeSlots = 0;
  const checks = new DependencyChecks(
    {
      ...dependencies,
      media_server: async () => {
        if (!(await rooms.isUp())) throw new Error('the media server does not answer');
      },
      workers: async () => {
        freeSlots = (await fleet.counts()).free;
        if (freeSlots === 0) throw new Error('no free slot');
      },
    },
    { clock, log },
  );
  return { checks, freeSlots: () => freeSlots };
}

export const healthRoutes =
  ({ checks, freeSlots }: Readiness): FastifyPluginAsyncTypebox =>
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
function readExcluded(given: string | undefined): Set<string> {
  const names = new Set(given?.split(',').map((name) => name.trim()));
  const unknown = [...names].find((name) => !DEPENDENCIES.some((known) => known === name));
  if (unknown === undefined) return names;
  const msg = `Input should be a list of ${DEPENDENCIES.join(', ')}, separated by commas`;
  throw new Fault('invalid_request', {
    problems: [{ type: 'enum', loc: ['query', 'exclude'], msg, input: given }],
  });
}

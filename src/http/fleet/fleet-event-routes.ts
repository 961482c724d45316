import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { ApiKeys } from '../../accounts/keys.ts';
import type { SignIns } from '../../accounts/people/sign-ins.ts';
import { demandByPool } from '../../fleet/demand.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { DrainForecasts } from '../../sessions/workers/drain-forecasts.ts';
import { stillPermitted } from '../auth/still-permitted.ts';
import { EVENT_STREAM, EventStreams, type EventStream } from '../events/event-stream.ts';
import { errors } from '../resource/schema-parts.ts';
import { fleetDoc, toPressureBody, toWorkerBody } from './fleet-schemas.ts';

const LOOK_AT_FLEET_MS = 2_000;

export type FleetEventParts = {
  fleet: Pick<Fleet, 'countsByPool' | 'workers'>;
  drains: Pick<DrainForecasts, 'of'>;
  warmSlots: number;
  callers: {
    keys: Pick<ApiKeys, 'check' | 'onChanged' | 'refusal'>;
    signIns: Pick<SignIns, 'refresh'>;
  };
  eventStreamsPerKey: number;
  clock: Clock;
  log: Log;
};

const description = `Server-sent events: \`fleet\` with \`workers\`, as in the list of workers, and \`pressure\`. It comes at the beginning, and within two seconds of each
change, of any control plane.`;

const example = 'event: fleet\ndata: {"workers": [...], "pressure": {...}}\n\n';

/** The whole state each time, so nothing is missed by a client that reconnects. */
export const fleetEventRoutes =
  (parts: FleetEventParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { callers, eventStreamsPerKey: max, clock } = parts;
    const streams = new EventStreams({ max, clock });
    const stopListening = callers.keys.onChanged(() => streams.check());
    app.addHook('preClose', async () => {
      stopListening();
      streams.close();
    });

    app.get(
      '/v1/fleet/events',
      {
        // A HEAD request would keep the stream open.
        exposeHeadRoute: false,
        schema: {
          ...fleetDoc,
          summary: 'Follow the fleet',
          description,
          response: {
            200: {
              description: 'The events.',
              content: { [EVENT_STREAM]: { schema: Type.String({ examples: [example] }) } },
            },
            ...errors(401, 429),
          },
        },
      },
      async (request, reply) => {
        const stream = streams.open({
          name: request.limitedAs,
          isKnown: stillPermitted(request, callers, 'fleet', 'read'),
        });
        follow(stream, parts);
        return stream.answer(reply);
      },
    );
  };

function follow(stream: EventStream, parts: FleetEventParts): void {
  const { clock, log } = parts;
  let shown = '';
  let isOpen = true;
  let cancel: (() => void) | null = null;
  const look = async (): Promise<void> => {
    try {
      const state = await stateOf(parts);
      const text = JSON.stringify(state);
      if (isOpen && text !== shown) stream.send('fleet', state);
      shown = text;
    } catch (err) {
      log.warn({ err }, 'fleet not read');
    }
    if (isOpen) cancel = clock.after(LOOK_AT_FLEET_MS, () => void look());
  };
  stream.onClose(() => {
    isOpen = false;
    cancel?.();
  });
  void look();
}

async function stateOf({ fleet, drains, warmSlots }: FleetEventParts) {
  const workers = await fleet.workers();
  const forecasts = await drains.of(workers);
  return {
    workers: workers.map((worker) =>
      toWorkerBody(worker, forecasts.get(worker.facts.workerId) ?? null),
    ),
    pressure: toPressureBody(await demandByPool(fleet, warmSlots, undefined)),
  };
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { demandByPool } from '../../fleet/demand.ts';
import { stillPermitted } from '../auth/still-permitted.ts';
import { EVENT_STREAM, openEventStreams, type EventStream } from '../plumbing/event-stream.ts';
import { errors } from '../resource/schema-parts.ts';
import { fleetDoc, toPressureBody, toWorkerBody } from './fleet-schemas.ts';
import type { Services } from '../services.ts';

const LOOK_AT_FLEET_MS = 2_000;

const description = `Server-sent events: \`fleet\` with \`workers\`, as in the list of workers, and \`pressure\`. It comes at the beginning, and within two seconds of each
change, of any control plane.`;

const example = 'event: fleet\ndata: {"workers": [...], "pressure": {...}}\n\n';

/** The whole state each time, so nothing is missed by a client that reconnects. */
export const fleetEventRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const streams = openEventStreams(app, services);

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
          isKnown: stillPermitted(request, services, 'fleet', 'read'),
        });
        follow(stream, services);
        return stream.answer(reply);
      },
    );
  };

function follow(stream: EventStream, services: Services): void {
  const { clock, log } = services;
  let sentText = '';
  let isOpen = true;
  let cancel: (() => void) | null = null;
  const look = async (): Promise<void> => {
    try {
      const state = await stateOf(services);
      const text = JSON.stringify(state);
      if (isOpen && text !== sentText) stream.send('fleet', state);
      sentText = text;
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

async function stateOf({ fleet, drains, settings }: Services) {
  const workers = await fleet.workers();
  const forecasts = await drains.of(workers);
  return {
    workers: workers.map((worker) =>
      toWorkerBody(worker, forecasts.get(worker.facts.workerId) ?? null),
    ),
    pressure: toPressureBody(await demandByPool(fleet, settings.warmSlots, undefined)),
  };
}

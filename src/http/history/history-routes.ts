import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { CountName } from '../metrics/metric-counts.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { fleetDoc } from '../fleet/fleet-schemas.ts';
import {
  FleetHistoryBody,
  HistoryQuery,
  SessionHistoryBody,
  spanOf,
  toFleetPoint,
  toSessionPoint,
} from './history-schemas.ts';
import type { Services } from '../services.ts';

const MOVES: CountName[] = ['failovers_avatar', 'failovers_agent', 'handovers'];

/** For charts. */
export const historyRoutes =
  ({ records: { sessionHistory }, clock }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/history',
      {
        schema: {
          tags: ['Account'],
          summary: 'Retrieve history of sessions',
          description:
            'For charts: sessions, failures and minutes of the last hour, day, week or month.',
          querystring: HistoryQuery,
          response: { 200: answer(SessionHistoryBody, 'The history.'), ...errors(401, 422) },
        },
      },
      async ({ account, query }) => {
        const now = clock.now();
        const span = spanOf(query, now);
        const points = await sessionHistory.points(account.id, { ...span, now });
        return { step_seconds: span.stepSeconds, points: points.map(toSessionPoint) };
      },
    );
  };

export const fleetHistoryRoutes =
  ({ records: { fleetHistory, metricHistory }, clock }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/fleet/history',
      {
        schema: {
          ...fleetDoc,
          summary: 'Retrieve history of the fleet',
          description:
            'For charts: avatar workers, their slots, the requests that waited, and the sessions that changed their worker, of the last hour, day, week or month. Kept for two months, by quarters of an hour.',
          querystring: HistoryQuery,
          response: { 200: answer(FleetHistoryBody, 'The history.'), ...errors(401, 422) },
        },
      },
      async ({ query }) => {
        const span = spanOf(query, clock.now());
        const [points, moves] = await Promise.all([
          fleetHistory.points(span),
          metricHistory.points({ ...span, names: MOVES }),
        ]);
        const counts = new Map(moves.map((step) => [step.at, step.counts]));
        return {
          step_seconds: span.stepSeconds,
          points: points.map((point) => toFleetPoint(point, counts.get(point.at) ?? {})),
        };
      },
    );
  };

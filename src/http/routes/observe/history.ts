import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Clock } from '#shared/clock.ts';
import type { FleetHistory } from '../../../records/fleet-history.ts';
import type { SessionHistory } from '../../../records/sessions/session-history.ts';
import { answer, errors } from '../../schemas/common.ts';
import { fleetDoc } from '../../schemas/fleet.ts';
import {
  FleetHistoryBody,
  HistoryQuery,
  SessionHistoryBody,
  spanOf,
  toFleetPoint,
  toSessionPoint,
} from '../../schemas/history.ts';

export type HistoryParts = { sessionHistory: SessionHistory; clock: Clock };
export type FleetHistoryParts = { fleetHistory: Pick<FleetHistory, 'points'>; clock: Clock };

/** For charts. */
export const historyRoutes =
  ({ sessionHistory, clock }: HistoryParts): FastifyPluginAsyncTypebox =>
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
  ({ fleetHistory, clock }: FleetHistoryParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/fleet/history',
      {
        schema: {
          ...fleetDoc,
          summary: 'Retrieve history of the fleet',
          description:
            'For charts: avatar workers, their slots and the requests that waited, of the last hour, day, week or month. Kept for two months, by quarters of an hour.',
          querystring: HistoryQuery,
          response: { 200: answer(FleetHistoryBody, 'The history.'), ...errors(401, 422) },
        },
      },
      async ({ query }) => {
        const span = spanOf(query, clock.now());
        const points = await fleetHistory.points(span);
        return { step_seconds: span.stepSeconds, points: points.map(toFleetPoint) };
      },
    );
  };

/*
 * Rooms of the console's playground, for an agent that a person runs. Not part of the public API:
 * programs make their rooms on the media server.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { newName } from '#shared/ids.ts';
import { Fault } from '../../errors.ts';
import type { AgentRooms } from '../../rooms/agent-rooms.ts';
import { isInRoom } from '../../rooms/seat.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import type { Services } from '../services.ts';
import { jobRefusal } from './job-refusal.ts';
import { AgentChoice, PlaygroundRoom, RoomFindings, RoomParams } from './playground-schemas.ts';
import { refusedSessions } from './refused-sessions.ts';

/** The newest sessions of an account, which include the room's. */
const MAX_SESSIONS = 50;

const ROOMS = '/v1/playground/rooms';

export const playgroundRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sessions, journal, refusedJobs, clock } = services;
    const roomsOf = (): AgentRooms => {
      if (services.agentRooms) return services.agentRooms;
      throw new Fault('not_available', {
        detail: 'This service has no media server of its own. Join another room.',
      });
    };
    /** Throws for rooms of other accounts, and for other rooms. */
    const ownRoom = (accountId: string, name: string): AgentRooms => {
      const rooms = roomsOf();
      if (!rooms.isOf(accountId, name)) throw new Fault('not_found');
      return rooms;
    };

    app.post(
      ROOMS,
      { schema: { hide: true, body: AgentChoice, response: { 201: PlaygroundRoom } } },
      async ({ account, body, signedIn }, reply) => {
        const visitor = { identity: newName('visitor'), name: signedIn?.person.name ?? 'Visitor' };
        const room = await roomsOf().open(account.id, body.agent_name, visitor);
        return reply.code(201).header('cache-control', 'no-store').send(room);
      },
    );

    app.get(
      `${ROOMS}/:name`,
      { schema: { hide: true, params: RoomParams, response: { 200: RoomFindings } } },
      async ({ account, params: { name } }) => {
        const [dispatches, jobs, newest, entries] = await Promise.all([
          ownRoom(account.id, name).dispatches(name),
          refusedJobs(),
          sessions.page(account.id, { limit: MAX_SESSIONS }),
          journal.of(account.id),
        ]);
        const openedAt = Math.min(...(dispatches ?? []).map(({ at }) => at));
        return {
          dispatches:
            dispatches &&
            dispatches
              .toSorted((a, b) => b.at - a.at)
              .map((dispatch) => ({
                agent_name: dispatch.agentName,
                age_ms: Math.max(0, clock.now() - dispatch.at),
                jobs: dispatch.jobs,
                refusal: jobRefusal({ name, dispatch }, jobs),
              })),
          sessions: newest.data
            .filter((session) => isInRoom(session, name))
            .map(({ id, status, endReason, endDetail }) => ({
              id,
              status,
              end_reason: endReason,
              end_detail: endDetail,
            })),
          refusals: refusedSessions(entries, openedAt),
        };
      },
    );

    app.post(
      `${ROOMS}/:name/dispatches`,
      {
        schema: {
          hide: true,
          params: RoomParams,
          body: AgentChoice,
          response: { 204: Type.Null() },
        },
      },
      async ({ account, params: { name }, body }, reply) => {
        await ownRoom(account.id, name).dispatch(name, body.agent_name);
        return reply.code(204).send(null);
      },
    );

    await app.register(closeRoute(ownRoom));
  };

const closeRoute =
  (ownRoom: (accountId: string, name: string) => AgentRooms): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      `${ROOMS}/:name`,
      { schema: { hide: true, params: RoomParams, response: { 204: Type.Null() } } },
      async ({ account, params: { name } }, reply) => {
        await ownRoom(account.id, name).close(name);
        return reply.code(204).send(null);
      },
    );
  };

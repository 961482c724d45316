import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { SessionEvents } from '../../sessions/session-events.ts';
import { stillPermitted } from '../auth/still-permitted.ts';
import {
  EVENT_STREAM,
  openEventStreams,
  type EventStream,
  type Follower,
} from '../plumbing/event-stream.ts';
import { errors, IdParams } from '../resource/schema-parts.ts';
import { toSessionBody } from './session-schemas.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const description = `Server-sent events: first \`session\` with the current state, then \`session.started\` and \`session.ended\` as they
happen. The data of each is the session. The stream ends when the session is completed. Lines that start with a colon keep the
connection open. A key may hold EVENT_STREAMS_PER_KEY streams; they end when it is revoked, expires or may no longer read sessions.`;

const example = 'event: session\ndata: {"id": "...", "status": {"type": "to_start"}, ...}\n\n';

export const sessionEventRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sessions, events } = services;
    const streams = openEventStreams(app, services);
    const followerOf = (request: FastifyRequest): Follower => ({
      name: request.limitedAs,
      isKnown: stillPermitted(request, services, 'sessions', 'read'),
    });

    app.get(
      '/v1/sessions/:id/events',
      {
        // A HEAD request would keep the stream open until the session ends.
        exposeHeadRoute: false,
        schema: {
          tags: ['Speech-to-Video Sessions'],
          summary: 'Follow speech-to-video session',
          description,
          params: IdParams,
          response: {
            200: {
              description: 'The events.',
              content: { [EVENT_STREAM]: { schema: Type.String({ examples: [example] }) } },
            },
            ...errors(401, 404, 429),
          },
        },
      },
      async (request, reply) => {
        const { account, params } = request;
        const stream = streams.open(followerOf(request));
        try {
          await follow(stream, events, params.id, () => sessions.find(account.id, params.id));
        } catch (error) {
          stream.drop();
          throw error;
        }
        return stream.answer(reply);
      },
    );
  };

const rank = { to_start: 0, ongoing: 1, completed: 2 };

async function follow(
  stream: EventStream,
  events: SessionEvents,
  id: string,
  find: () => Promise<SessionRecord | null>,
): Promise<void> {
  // Subscribe before reading the record, so that no event is missed in between. Events that the
  // record already reflects are not sent again.
  const early: (() => void)[] = [];
  let shownRank = -1;
  const show = (name: string, session: SessionRecord) => {
    if (rank[session.status] <= shownRank) return;
    shownRank = rank[session.status];
    stream.send(name, toSessionBody(session));
    if (session.status === 'completed') stream.end();
  };
  let receive = (name: string, session: SessionRecord) => {
    early.push(() => show(name, session));
  };
  for (const name of ['session.started', 'session.ended'] as const) {
    stream.onClose(
      events.on(name, ({ session }) => {
        if (session.id === id) receive(name, session);
      }),
    );
  }

  show('session', found(await find()));
  for (const showEarly of early) showEarly();
  receive = show;
}

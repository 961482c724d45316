import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { isoTime } from '#shared/iso-time.ts';
import { stillPermitted } from '../auth/still-permitted.ts';
import { EVENT_STREAM, openEventStreams } from '../plumbing/event-stream.ts';
import { errors } from '../resource/schema-parts.ts';
import { toSessionBody } from './session-schemas.ts';
import { SessionFollower } from './session-follower.ts';
import type { Services } from '../services.ts';

const description = `Server-sent events of all sessions: \`session.created\`, \`session.started\`, \`session.ended\`, and \`session.changed\` when its worker or its quality
changes. The data of each is the session. \`hello\` comes first. A client that reconnects with Last-Event-ID gets what it missed; \`reset\` says
that it was too much, so read the lists again. An event may come twice. Within a second, also from other control planes.`;

const example = 'id: 1767225600000\nevent: session.created\ndata: {"id": "...", ...}\n\n';

const Resume = { pattern: '^\\d{1,16}$', description: 'The id of the last event received.' };

export const liveEventRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { events, clock, log } = services;
    const streams = openEventStreams(app, services);

    app.get(
      '/v1/events',
      {
        // A HEAD request would keep the stream open.
        exposeHeadRoute: false,
        schema: {
          tags: ['Speech-to-Video Sessions'],
          summary: 'Follow all sessions',
          description,
          headers: Type.Object({ 'last-event-id': Type.Optional(Type.String(Resume)) }),
          querystring: Type.Object({
            last_event_id: Type.Optional(
              Type.String({ ...Resume, description: 'For clients that cannot send the header.' }),
            ),
          }),
          response: {
            200: {
              description: 'The events.',
              content: { [EVENT_STREAM]: { schema: Type.String({ examples: [example] }) } },
            },
            ...errors(401, 422, 429),
          },
        },
      },
      async (request, reply) => {
        const { id: accountId } = request.account;
        const lastEventId = request.headers['last-event-id'] ?? request.query.last_event_id;
        const stream = streams.open({
          name: request.limitedAs,
          isKnown: stillPermitted(request, services, 'sessions', 'read'),
        });
        const now = clock.now();
        stream.send('hello', { at: isoTime(now) }, lastEventId ?? now);
        const follower = new SessionFollower(
          {
            accountId,
            feed: services.records.sessionFeed,
            clock,
            log,
            onChange: (name, session, at) => stream.send(name, toSessionBody(session), at),
            onReset: (at) => stream.send('reset', {}, at),
          },
          lastEventId === undefined ? null : Number(lastEventId),
        );
        stream.onClose(() => follower.close());
        for (const name of ['session.started', 'session.ended'] as const) {
          stream.onClose(
            events.on(name, ({ session }) => {
              if (session.accountId === accountId) follower.look();
            }),
          );
        }
        stream.onClose(
          events.on('session.changed', ({ session }) => {
            if (session.accountId === accountId && session.kind === 'avatar')
              stream.send('session.changed', toSessionBody(session), clock.now());
          }),
        );
        follower.look();
        return stream.answer(reply);
      },
    );
  };

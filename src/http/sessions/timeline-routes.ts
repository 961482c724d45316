import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { MOST_ENTRIES } from '../../sessions/timelines.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { TimelineBody, toTimelineBody } from './timeline-schemas.ts';
import { retrieveRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const description = `Events of the session in the order they happened, at most ${MOST_ENTRIES}; \`left_out\` counts the rest. Events of the last second may be missing.`;

export const timelineRoutes =
  ({ sessions, timelines }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    retrieveRoute(app, '/v1/sessions/:id/timeline', {
      schema: {
        tags: ['Speech-to-Video Sessions'],
        summary: 'Retrieve timeline of speech-to-video session',
        description,
        response: { 200: answer(TimelineBody, 'The whole timeline.'), ...errors(401, 404) },
      },
      find: async ({ account, params }) => {
        const session = await sessions.find(account.id, params.id);
        return session && timelines.of(session.id);
      },
      toBody: toTimelineBody,
    });
  };

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import type { Sessions } from '../../sessions/sessions.ts';
import { MOST_ENTRIES, type Timelines } from '../../sessions/timelines.ts';
import { answer, errors, IdParams } from '../schemas/common.ts';
import { TimelineBody, toTimelineBody } from '../schemas/timeline.ts';

export type TimelineParts = {
  sessions: Pick<Sessions, 'find'>;
  timelines: Pick<Timelines, 'of'>;
};

const description = `What happened in the session, in the order in which it happened: ${MOST_ENTRIES} entries at most, \`left_out\` counts the
others. What happened in the last second may be missing.`;

export const timelineRoutes =
  ({ sessions, timelines }: TimelineParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/sessions/:id/timeline',
      {
        schema: {
          tags: ['Speech-to-Video Sessions'],
          summary: 'Retrieve timeline of speech-to-video session',
          description,
          params: IdParams,
          response: { 200: answer(TimelineBody, 'All of it.'), ...errors(401, 404) },
        },
      },
      async (request) => {
        const session = await sessions.find(request.account.id, request.params.id);
        if (!session) throw new Fault('not_found');
        return toTimelineBody(await timelines.of(session.id));
      },
    );
  };

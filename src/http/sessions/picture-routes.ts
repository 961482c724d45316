import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { DRAWS_FRAMES } from '#protocol/pictures/frames.ts';
import { Fault, problem } from '../../errors.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { PictureChange } from '../../sessions/pictures/session-pictures.ts';
import { answer, errors, IdParams, named } from '../resource/schema-parts.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';
import { SessionBody, SessionChanges, toSessionBody } from './session-schemas.ts';
import { readVideo } from './video-schemas.ts';

const description = `Framing, background and emotion change at once, without a new track; the framing moves smoothly. Size and frame rate stay, and a session
does not become transparent, or stop to be. Framing and background outlast a change of the worker. 409 when the session is over, or its worker is of a version that cannot
change the picture.`;

/** Changes what a running session shows. */
export const pictureRoutes =
  ({ sessions, sessionPictures, fleet }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.patch(
      '/v1/sessions/:id',
      {
        schema: {
          tags: ['Speech-to-Video Sessions'],
          summary: 'Change picture of speech-to-video session',
          description,
          params: IdParams,
          body: named(SessionChanges),
          response: {
            200: answer(SessionBody, 'The session.'),
            ...errors(401, 403, 404, 409, 422),
          },
        },
      },
      async ({ account, params, body, log }) => {
        const session = found(await sessions.find(account.id, params.id));
        const change = readChange(body, session);
        if (session.status !== 'completed') {
          if (!(await canChange(fleet, session.workerId))) throw tooOld();
          const changed = found(await sessionPictures.change(account.id, session.id, change));
          log.info({ sessionId: session.id, ...change }, 'picture changed by client');
          if (changed.status !== 'completed') return toSessionBody(changed);
        }
        throw new Fault('conflict', { detail: 'The session is over.' });
      },
    );
  };

/** Between two workers, the next one shows the change. */
async function canChange(
  fleet: Pick<Services['fleet'], 'workers'>,
  workerId: string | null,
): Promise<boolean> {
  const worker = (await fleet.workers()).find(({ facts }) => facts.workerId === workerId);
  return !worker || worker.facts.abilities.includes(DRAWS_FRAMES);
}

const tooOld = () =>
  new Fault('conflict', {
    detail: 'The worker of this session is of an older version and cannot change its picture.',
    advice: 'Upgrade the workers; sessions that begin on newer ones can be changed.',
  });

function readChange({ video, emotion }: SessionChanges, { video: current }: SessionRecord) {
  const path = ['body', 'video'];
  for (const name of ['preset', 'width', 'height', 'fps'] as const) {
    if (video?.[name] === undefined) continue;
    const text = 'Size and frame rate cannot change while the session runs.';
    throw problem('value_error', [...path, name], text, video[name]);
  }
  const { framing, background } = readVideo(video ?? {}, path);
  const isTransparent = current.background?.kind === 'transparent';
  if (background && (background.kind === 'transparent') !== isTransparent) {
    const text = 'A running session does not become transparent, or stop to be.';
    throw problem('value_error', [...path, 'background'], text, video?.background);
  }
  const change: PictureChange = {
    ...(framing !== undefined && { framing }),
    ...(background !== undefined && { background }),
    ...(emotion !== undefined && { emotion }),
  };
  return change;
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import { errors, IdParams } from '../resource/schema-parts.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const description = `A small JPEG of what the avatar shows, at most a few seconds old: ask again every five seconds. The worker takes it when you ask; it is kept
in memory for seconds and stored nowhere. Of a session that belongs to a call only if \`call_stills\` of the account permits it. 409 while there
is none: the session is not live, or its worker takes no stills.`;

export const stillRoutes =
  ({ sessions, records: { accounts }, fleet }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/sessions/:id/still',
      {
        schema: {
          tags: ['Speech-to-Video Sessions'],
          summary: 'Retrieve still of speech-to-video session',
          description,
          params: IdParams,
          response: {
            200: { description: 'The picture.', content: { 'image/jpeg': { schema: {} } } },
            ...errors(401, 403, 404, 409),
          },
        },
      },
      async ({ account, params }, reply) => {
        const session = found(await sessions.find(account.id, params.id));
        // The account of a remembered key may have an older setting, so it is read again.
        if (session.callId !== null && !(await accounts.find(account.id))?.callStills)
          throw callsAreHidden();
        const jpeg = await stillOf(session, fleet);
        if (jpeg === null) {
          const detail =
            'The session shows no picture: it is not live, or its worker takes no stills.';
          throw new Fault('conflict', { detail, advice: 'Try again while the session is live.' });
        }
        return reply
          .type('image/jpeg')
          .header('cache-control', 'no-store')
          .header('x-content-type-options', 'nosniff')
          .send(Buffer.from(jpeg, 'base64'));
      },
    );
  };

async function stillOf(
  { id: sessionId, epoch, workerId, status }: SessionRecord,
  fleet: Services['fleet'],
): Promise<string | null> {
  if (status !== 'ongoing' || workerId === null) return null;
  return fleet.ask(workerId, { type: 'take_still', placement: { sessionId, epoch } });
}

const callsAreHidden = () =>
  new Fault('forbidden', {
    detail: 'The session belongs to a call, and the account shows no stills of calls.',
    advice: 'The owner of the account can turn them on: PATCH /v1/account with `call_stills`.',
  });

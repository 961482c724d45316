import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import type { Sheet } from '#protocol/pictures/sheets.ts';
import { DEFAULT_POOL, type AvatarFile } from '../../fleet/fleet.ts';
import { ableToDraw } from '../../fleet/placement.ts';
import { answer, errors, IdParams } from '../resource/schema-parts.ts';
import { SheetBody, toSheetBody } from './sheet-schemas.ts';
import type { Services } from '../services.ts';

const description =
  'The mouth shapes, eyes and expressions of the avatar in one picture. A worker draws it when you ask. 409 while the avatar is not ready, 503 while no worker can draw it.';

const NOBODY_DRAWS = 'No connected worker can draw it. Try again after the time in Retry-After.';

export const sheetRoutes =
  ({ avatars, fleet }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/avatars/:id/sheet',
      {
        schema: {
          tags: ['Avatars'],
          summary: 'Retrieve contact sheet of avatar',
          description,
          params: IdParams,
          response: {
            200: answer(SheetBody, 'The contact sheet.'),
            ...errors(401, 403, 404, 409),
            503: { ...errors(503)[503], description: NOBODY_DRAWS },
          },
        },
      },
      async ({ account, params }, reply) => {
        const { id: avatarId, bundleHash } = await avatars.performing(account.id, params.id);
        const pool = account.pool ?? DEFAULT_POOL;
        const sheet = await drawSheet(fleet, { avatarId, bundleHash }, pool);
        if (sheet === null) {
          const detail = 'No worker can draw the contact sheet now.';
          const advice = 'Try again when an avatar worker of this version is connected.';
          throw new Fault('at_capacity', { detail, advice, retryAfterSeconds: 5 });
        }
        reply.header('cache-control', 'private, max-age=60');
        return toSheetBody(sheet);
      },
    );
  };

/** Null: two workers drew none, or none is connected that can. */
async function drawSheet(
  fleet: Services['fleet'],
  avatar: AvatarFile,
  pool: string,
): Promise<Sheet | null> {
  const { avatarId, bundleHash } = avatar;
  const bundle = bundleHash === null ? {} : { bundle: bundleHash };
  // A worker may have gone, or be connected to a control plane of an older version. A sheet that
  // two cannot draw must not keep a whole pool busy.
  for (const workerId of ableToDraw(await fleet.workers(), avatar, pool).slice(0, 2)) {
    const sheet = await fleet.ask(workerId, { type: 'draw_sheet', avatarId, ...bundle });
    if (sheet) return sheet;
  }
  return null;
}

import { readFile } from 'node:fs/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { Fault, problem } from '../../errors.ts';
import type { Avatar, AvatarRecords } from '../../records/avatars.ts';
import { AvatarBody, AvatarPage, toAvatarBody } from '../schemas/avatars.ts';
import { answer, DEFAULT_LIMIT, errors, IdParams, PageQuery, toPage } from '../schemas/common.ts';

export type AvatarParts = {
  avatars: AvatarRecords;
  baseUrl: (request: FastifyRequest) => string;
};

const tags = ['Avatars'];

export const avatarRoutes =
  ({ avatars, baseUrl }: AvatarParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/avatars',
      {
        schema: {
          tags,
          summary: 'List avatars',
          querystring: PageQuery,
          response: { 200: answer(AvatarPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const all = avatars.list(request.account.id);
        const start = cursor ? placeAfter(all, cursor) : 0;
        const shown = all.slice(start, start + limit);
        const isLast = start + limit >= all.length;
        const nextCursor = isLast ? null : (shown.at(-1)?.id ?? null);
        return toPage(
          shown.map((avatar) => toAvatarBody(avatar, baseUrl(request))),
          nextCursor && Buffer.from(nextCursor).toString('base64url'),
        );
      },
    );

    app.get(
      '/v1/avatars/:id',
      {
        schema: {
          tags,
          summary: 'Retrieve avatar',
          params: IdParams,
          response: { 200: answer(AvatarBody, 'The avatar.'), ...errors(401, 403, 404) },
        },
      },
      async (request) =>
        toAvatarBody(avatars.find(request.account.id, request.params.id), baseUrl(request)),
    );
  };

/** Pictures need no key: pages show them. */
export const pictureRoutes =
  (avatars: AvatarRecords): FastifyPluginAsync =>
  async (app) => {
    app.get<{ Params: { id: string } }>(
      '/avatars/:id/picture',
      { schema: { hide: true } },
      async (request, reply) => {
        const picture = await readPicture(avatars.pictureFile(request.params.id));
        return reply
          .type('image/webp')
          .header('cache-control', 'public, max-age=3600')
          .header('x-content-type-options', 'nosniff')
          .send(picture);
      },
    );
  };

async function readPicture(file: string | null): Promise<Buffer> {
  if (file === null) throw new Fault('not_found');
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Fault('not_found', { cause });
  }
}

function placeAfter(all: Avatar[], cursor: string): number {
  const id = Buffer.from(cursor, 'base64url').toString();
  const place = all.findIndex((avatar) => avatar.id === id);
  if (place < 0) {
    throw problem('invalid_cursor', ['query', 'cursor'], 'Not a cursor of this list.', cursor);
  }
  return place + 1;
}

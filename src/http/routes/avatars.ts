import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Account } from '../../accounts/account.ts';
import { maxAvatars } from '../../accounts/limits.ts';
import type { Avatars } from '../../avatars/avatars.ts';
import { MAX_PICTURE_BYTES, type Enrolments } from '../../avatars/enrolment.ts';
import { Fault, problem } from '../../errors.ts';
import type { AvatarRecords } from '../../records/avatars.ts';
import { hashOf, type Blobs } from '../../records/blobs.ts';
import { readForm } from '../forms.ts';
import type { Idempotency } from '../limits/idempotency.ts';
import { ignoreBodies } from '../ignored-body.ts';
import { AvatarBody, AvatarPage, AvatarRequest, toAvatarBody } from '../schemas/avatars.ts';
import {
  answer,
  DEFAULT_LIMIT,
  errors,
  IdempotencyHeader,
  IdParams,
  named,
  PageQuery,
  toPage,
} from '../schemas/common.ts';

export type AvatarParts = {
  avatars: Avatars;
  avatarRecords: Pick<AvatarRecords, 'delete'>;
  enrolments: Pick<Enrolments, 'begin'>;
  blobs: Pick<Blobs, 'release'>;
  idempotency: Idempotency;
  baseUrl: (request: FastifyRequest) => string;
};

const tags = ['Avatars'];

/** The form around its two pictures: other fields and headers. */
const FORM_BYTES = 64 * 1024;

export const avatarRoutes =
  (parts: AvatarParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { avatars, baseUrl } = parts;

    app.get(
      '/v1/avatars',
      {
        schema: {
          tags,
          summary: 'List avatars',
          description: 'Those that come with the service, then your own, most recent first.',
          querystring: PageQuery,
          response: { 200: answer(AvatarPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const { data, nextCursor } = await avatars.page(request.account.id, { limit, cursor });
        const base = baseUrl(request);
        return toPage(
          data.map((avatar) => toAvatarBody(avatar, base)),
          nextCursor,
        );
      },
    );

    app.get(
      '/v1/avatars/:id',
      {
        schema: {
          tags,
          summary: 'Retrieve avatar',
          description: 'Of your own ones also how far it is, or why it failed.',
          params: IdParams,
          response: { 200: answer(AvatarBody, 'The avatar.'), ...errors(401, 403, 404) },
        },
      },
      async (request) =>
        toAvatarBody(await avatars.find(request.account.id, request.params.id), baseUrl(request)),
    );

    await app.register(createRoute(parts));
    await app.register(deleteRoute(parts));
  };

const createRoute =
  ({ enrolments, idempotency, baseUrl }: AvatarParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    readForms(app);
    app.post(
      '/v1/avatars',
      {
        bodyLimit: 2 * MAX_PICTURE_BYTES + FORM_BYTES,
        schema: {
          tags,
          summary: 'Create avatar',
          description:
            'Makes an avatar of a photo, in the background: its `progress` rises until it is `ready`, of which the webhook event `avatar.ready` tells, or `failed`, with a reason and what to do about it. A plan says how many an account may have.',
          headers: IdempotencyHeader,
          body: { content: { 'multipart/form-data': { schema: named(AvatarRequest) } } },
          response: {
            201: answer(AvatarBody, 'The avatar, which is being built.'),
            ...errors(400, 401, 409, 413, 415, 422),
          },
        },
      },
      async (request, reply) => {
        const { account, log, keyId, headers, method, routeOptions } = request;
        // The schema stands behind a content type, where no type is made of it.
        const form = request.body as Type.Static<typeof AvatarRequest>;
        const { name, consent } = form;
        const picture = await readPicture('picture', form.picture);
        const background = await readBackground(form.background);
        const behind = typeof background === 'string' ? background : hashOf(background);
        const same = [method, routeOptions.url, name, consent, behind, hashOf(picture)];
        const created = await idempotency.once(
          account.id,
          headers['idempotency-key'],
          same,
          async () => {
            const avatar = await enrolments.begin({
              ...enrolledBy(account),
              name,
              picture,
              background,
              consent: { statement: consent, keyId },
            });
            log.info({ avatarId: avatar.id }, 'avatar asked for');
            return { status: 201, body: toAvatarBody(avatar, baseUrl(request)) };
          },
        );
        return reply.code(created.status).send(created.body);
      },
    );
  };

const deleteRoute =
  ({ avatars, avatarRecords, blobs }: AvatarParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/v1/avatars/:id',
      {
        schema: {
          tags,
          summary: 'Delete avatar',
          description:
            'One of your own, with its picture and all that was made of it. Not while an agent refers to it or a session shows it: the answer names them.',
          params: IdParams,
          response: {
            204: Type.Null({ description: 'It is gone.' }),
            ...errors(401, 403, 404, 409),
          },
        },
      },
      async (request, reply) => {
        const { account, params, log } = request;
        const unused = await avatarRecords.delete(account.id, params.id);
        if (!unused) {
          // A built-in one is found, and nobody's to delete.
          await avatars.find(account.id, params.id);
          throw new Fault('forbidden');
        }
        await blobs.release(unused);
        log.info({ avatarId: params.id }, 'avatar deleted');
        return reply.code(204).send(null);
      },
    );
  };

export const enrolledBy = (account: Account) => ({
  accountId: account.id,
  max: maxAvatars(account),
});

function readForms(app: Parameters<typeof ignoreBodies>[0]): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      readForm(body, request.headers['content-type']),
  );
  app.addContentTypeParser('*', async () => {
    const detail = 'Send the body as multipart/form-data.';
    throw new Fault('unsupported_media_type', { detail });
  });
  // The schema stands behind a content type, which a request without a body has none of.
  app.addHook('preValidation', async ({ body }) => {
    if (body === undefined || body === null)
      throw problem('missing', ['body'], 'Field required', null);
  });
}

/** Text as the schema has it, or a picture. */
async function readBackground(given: unknown): Promise<string | Uint8Array> {
  return typeof given === 'string' ? given.toLowerCase() : readPicture('background', given);
}

async function readPicture(name: string, given: unknown): Promise<Uint8Array> {
  const loc = ['body', name];
  if (Array.isArray(given)) throw problem('too_long', loc, 'Input should be given once', null);
  if (!(given instanceof File)) throw problem('file_type', loc, 'Input should be a file', null);
  return new Uint8Array(await given.arrayBuffer());
}

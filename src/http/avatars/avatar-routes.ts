import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Account } from '../../accounts/account.ts';
import { storageOf } from '../../accounts/limits.ts';
import { isOwn } from '../../avatars/avatars.ts';
import { MAX_PICTURE_BYTES } from '../../avatars/enrolment.ts';
import { Fault, problem } from '../../errors.ts';
import { hashOf } from '../../records/blobs.ts';
import type { Bodies } from '../bodies/bodies.ts';
import { FormFile } from '../bodies/form.ts';
import { readForms, refuseOthers } from '../bodies/parsers.ts';
import { AvatarBody, AvatarPage, AvatarRequest, toAvatarBody } from './avatar-schemas.ts';
import { answer, errors, IdempotencyHeader, named } from '../resource/schema-parts.ts';
import { sheetRoutes } from './sheet-routes.ts';
import {
  deleteRoute,
  listRoute,
  retrieveRoute,
  type IdRequest,
} from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Avatars'];

/** Room for the form's other fields and headers beside its two pictures. */
const FORM_BYTES = 64 * 1024;

export const avatarRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { avatars, baseUrl } = services;

    listRoute(app, '/v1/avatars', {
      schema: {
        tags,
        summary: 'List avatars',
        description: 'Built-in avatars first, then your own, most recent first.',
        response: { 200: answer(AvatarPage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => avatars.page(account.id, page),
      toBody: (avatar, request) => toAvatarBody(avatar, baseUrl(request)),
    });

    retrieveRoute(app, '/v1/avatars/:id', {
      schema: {
        tags,
        summary: 'Retrieve avatar',
        description: 'Your own avatars include build progress, or why the build failed.',
        response: { 200: answer(AvatarBody, 'The avatar.'), ...errors(401, 403, 404) },
      },
      find: ({ account, params }) => avatars.find(account.id, params.id),
      toBody: (avatar, request) => toAvatarBody(avatar, baseUrl(request)),
    });

    await app.register(sheetRoutes(services));
    await app.register(createRoute(services));
    await deleteRoute(app, '/v1/avatars/:id', {
      schema: {
        tags,
        summary: 'Delete avatar',
        description:
          'Deletes one of your own avatars with its picture and all files built from it. Refused while an agent or a session uses it; the error names them.',
        response: errors(401, 403, 404, 409),
      },
      remove: (request) => deleteAvatar(services, request),
    });
  };

const createRoute =
  ({ enrolments, idempotency, auditor, baseUrl, bodies }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    readOnlyForms(app, bodies);
    app.post(
      '/v1/avatars',
      {
        bodyLimit: 2 * MAX_PICTURE_BYTES + FORM_BYTES,
        schema: {
          tags,
          summary: 'Create avatar',
          description:
            'Builds an avatar from a photo in the background. `progress` rises until the avatar is `ready` (webhook event `avatar.ready`) or `failed`, with a reason and advice. The plan limits how many an account may have.',
          headers: IdempotencyHeader,
          body: { content: { 'multipart/form-data': { schema: named(AvatarRequest) } } },
          response: {
            201: answer(AvatarBody, 'The avatar, whose build has started.'),
            ...errors(400, 401, 409, 413, 415, 422),
          },
        },
      },
      async (request, reply) => {
        const { account, log, keyId, headers, method, routeOptions } = request;
        // Schemas under `content` do not type the body.
        const form = request.body as Static<typeof AvatarRequest>;
        const { name, consent } = form;
        const picture = readPicture('picture', form.picture);
        const background = readBackground(form.background);
        const behind = typeof background === 'string' ? background : hashOf(background);
        const requestIdentity = [method, routeOptions.url, name, consent, behind, hashOf(picture)];
        const created = await idempotency.once(
          account.id,
          headers['idempotency-key'],
          requestIdentity,
          async () => {
            const avatar = await enrolments.begin(
              {
                ...enrolledBy(account),
                name,
                picture,
                background,
                consent: { statement: consent, keyId },
              },
              (insert) =>
                auditor.create(
                  request,
                  (records) => insert(records.avatars),
                  (record) => ({
                    action: 'avatar.created',
                    targetId: record.id,
                    after: toAvatarBody(record, baseUrl(request)),
                  }),
                ),
            );
            log.info({ avatarId: avatar.id }, 'avatar requested');
            return { status: 201, body: toAvatarBody(avatar, baseUrl(request)) };
          },
        );
        return reply.code(created.status).send(created.body);
      },
    );
  };

async function deleteAvatar(
  { avatars, records: { blobs }, auditor, baseUrl }: Services,
  request: IdRequest,
): Promise<boolean> {
  const { account, params, log } = request;
  const avatar = await avatars.find(account.id, params.id);
  const avatarBody = toAvatarBody(avatar, baseUrl(request));
  const deleting = { action: 'avatar.deleted', targetId: params.id, before: avatarBody } as const;
  const unused = await auditor.change(request, deleting, (records) =>
    records.avatars.delete(account.id, params.id),
  );
  if (!unused) throw new Fault(isOwn(avatar) ? 'not_found' : 'forbidden');
  await blobs.release(unused);
  log.info({ avatarId: params.id }, 'avatar deleted');
  return true;
}

export const enrolledBy = (account: Account) => ({
  accountId: account.id,
  limits: storageOf(account),
});

function readOnlyForms(app: FastifyInstance, bodies: Bodies): void {
  app.removeAllContentTypeParsers();
  readForms(app, bodies);
  refuseOthers(app, 'Send the body as multipart/form-data.');
  // A request without a body has no content type, so the schema under `content` is not applied.
  app.addHook('preValidation', async ({ body }) => {
    if (body === undefined || body === null)
      throw problem('missing', ['body'], 'Field required', null);
  });
}

/** A keyword or colour that the schema has checked, or a picture. */
function readBackground(field: unknown): string | Uint8Array {
  return typeof field === 'string' ? field.toLowerCase() : readPicture('background', field);
}

function readPicture(name: string, field: unknown): Uint8Array {
  const loc = ['body', name];
  if (Array.isArray(field)) throw problem('too_long', loc, 'Input should be given once', null);
  if (!(field instanceof FormFile)) throw problem('file_type', loc, 'Input should be a file', null);
  return field.bytes;
}

/*
 * List, retrieve, update and delete of a plain resource. Each helper adds what all resources share
 * (page query, id parameter, 404 for an unknown id, empty 204) to the given schema and data access.
 */
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import Type, { type Static, type TSchema } from 'typebox';
import { Fault } from '../../errors.ts';
import type { Page, PageRequest } from '../../records/engine/pages.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { DEFAULT_LIMIT, IdParams, PageQuery, toPage } from './schema-parts.ts';

type IdRoute = { Params: Static<typeof IdParams> };
export type IdRequest = FastifyRequest<IdRoute>;
export type ChangeRequest<Changes> = IdRequest & { body: Changes };

type AnswerSchema<Answer extends TSchema> = FastifySchema & { response: { 200: Answer } };
type ItemOf<Answer extends TSchema> =
  Static<Answer> extends { data: (infer Item)[] } ? Item : never;

export function listRoute<Answer extends TSchema, Stored>(
  app: FastifyInstance,
  url: string,
  {
    schema,
    read,
    toBody,
  }: {
    schema: AnswerSchema<Answer>;
    read: (request: FastifyRequest, page: PageRequest) => Promise<Page<Stored>>;
    toBody: (stored: Stored, request: FastifyRequest) => ItemOf<Answer>;
  },
): void {
  app.get<{ Querystring: Static<typeof PageQuery> }>(
    url,
    { schema: { querystring: PageQuery, ...schema } },
    async (request) =>
      answerPage(
        request.query,
        (page) => read(request, page),
        (stored) => toBody(stored, request),
      ),
  );
}

/** For lists that have a query of their own. */
export async function answerPage<Stored, Item>(
  { limit = DEFAULT_LIMIT, cursor }: Static<typeof PageQuery>,
  read: (page: PageRequest) => Promise<Page<Stored>>,
  toBody: (stored: Stored) => Item,
) {
  const { data, nextCursor } = await read({ limit, cursor });
  return toPage(
    data.map((stored) => toBody(stored)),
    nextCursor,
  );
}

export function retrieveRoute<Answer extends TSchema, Stored>(
  app: FastifyInstance,
  url: string,
  {
    schema,
    find,
    toBody,
  }: {
    schema: AnswerSchema<Answer>;
    find: (request: IdRequest) => Promise<Stored | null>;
    toBody: (stored: Stored, request: FastifyRequest) => Static<Answer>;
  },
): void {
  app.get<IdRoute>(url, { schema: { params: IdParams, ...schema } }, async (request) =>
    toBody(found(await find(request)), request),
  );
}

/** `update` returns false for an unknown id. */
export function updateRoute<Changes extends TSchema>(
  app: FastifyInstance,
  url: string,
  {
    schema,
    update,
    bodyLimit,
  }: {
    schema: FastifySchema & { body: Changes; response?: object };
    update: (request: ChangeRequest<Static<Changes>>) => Promise<boolean>;
    bodyLimit?: number;
  },
): void {
  const response = { 204: Type.Null({ description: 'Updated.' }), ...schema.response };
  app.patch<IdRoute>(
    url,
    {
      schema: { params: IdParams, ...schema, response },
      ...(bodyLimit !== undefined && { bodyLimit }),
    },
    async (request, reply) => {
      const isFound = await update(request as ChangeRequest<Static<Changes>>);
      if (!isFound) throw new Fault('not_found');
      return reply.code(204).send(null);
    },
  );
}

/** `remove` returns false for an unknown id. */
export async function deleteRoute(
  app: FastifyInstance,
  url: string,
  {
    schema,
    remove,
  }: {
    schema: FastifySchema & { response?: object };
    remove: (request: IdRequest) => Promise<boolean>;
  },
): Promise<void> {
  const response = { 204: Type.Null({ description: 'Deleted.' }), ...schema.response };
  await app.register(async (scope) => {
    ignoreBodies(scope);
    scope.delete<IdRoute>(
      url,
      { schema: { params: IdParams, ...schema, response } },
      async (request, reply) => {
        if (!(await remove(request))) throw new Fault('not_found');
        return reply.code(204).send(null);
      },
    );
  });
}

export function found<Stored>(stored: Stored | null): Stored {
  if (stored === null) throw new Fault('not_found');
  return stored;
}

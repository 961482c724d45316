import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { Fault, problem } from '../../errors.ts';
import { PDF_LIMITS } from '../../knowledge/pdf-reader.ts';
import { MAX_CHUNK_BYTES, MAX_FILE_BYTES, type Uploads } from '../../knowledge/upload.ts';
import type { KnowledgeFile, KnowledgeFileRecords } from '../../records/knowledge-files.ts';
import type { Idempotency } from '../limits/idempotency.ts';
import { ignoreBodies } from '../ignored-body.ts';
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
import {
  AvailableKnowledgeFile,
  ChunkQuery,
  KnowledgeFileBody,
  KnowledgeFilePage,
  KnowledgeFileRequest,
  toAvailableFile,
  toKnowledgeFileBody,
  toListedFile,
} from '../schemas/knowledge-files.ts';

export type KnowledgeFileParts = {
  knowledgeFiles: KnowledgeFileRecords;
  uploads: Uploads;
  idempotency: Idempotency;
  clock: Clock;
};

const tags = ['Agent Knowledge Files'];

const MIB = 1024 ** 2;

export const knowledgeFileRoutes =
  (parts: KnowledgeFileParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { knowledgeFiles, idempotency, clock } = parts;

    app.post(
      '/v1/knowledge-files',
      {
        // The longest text, of letters that JSON writes as twelve.
        bodyLimit: MAX_CHUNK_BYTES,
        schema: {
          tags,
          summary: 'Create knowledge file',
          description:
            'A text that is given with it is available at once. Any other file is uploaded in chunks next, and then submitted.',
          headers: IdempotencyHeader,
          body: named(KnowledgeFileRequest),
          response: {
            201: answer(KnowledgeFileBody, 'The knowledge file.'),
            ...errors(401, 409, 413, 422),
          },
        },
      },
      async (request, reply) => {
        const { account, log } = request;
        const { name, format, content } = request.body;
        if (format === 'pdf' && content !== undefined) {
          const how = 'A PDF is uploaded in chunks: leave it out';
          throw problem('not_available', ['body', 'content'], how, null);
        }
        const key = request.headers['idempotency-key'];
        const same = [request.method, request.routeOptions.url, request.body];
        const { status, body } = await idempotency.once(account.id, key, same, async () => {
          const file: KnowledgeFile = {
            id: newRecordId(),
            accountId: account.id,
            name,
            format,
            status: content === undefined ? 'to-upload' : 'available',
            createdAt: clock.now(),
          };
          await knowledgeFiles.insert(file, content ?? null);
          log.info({ fileId: file.id, format }, 'knowledge file created');
          return { status: 201, body: toKnowledgeFileBody({ ...file, content: content ?? null }) };
        });
        return reply.code(status).send(body);
      },
    );

    app.get(
      '/v1/knowledge-files',
      {
        schema: {
          tags,
          summary: 'List knowledge files',
          description: 'Most recent first, without their texts.',
          querystring: PageQuery,
          response: { 200: answer(KnowledgeFilePage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const page = await knowledgeFiles.page(request.account.id, { limit, cursor });
        return toPage(page.data.map(toListedFile), page.nextCursor);
      },
    );

    app.get(
      '/v1/knowledge-files/:id',
      {
        schema: {
          tags,
          summary: 'Retrieve knowledge file',
          description: 'With its text, once it is available.',
          params: IdParams,
          response: { 200: answer(KnowledgeFileBody, 'The knowledge file.'), ...errors(401, 404) },
        },
      },
      async (request) => {
        const { account, params } = request;
        const file = await knowledgeFiles.read(account.id, params.id);
        if (!file) throw new Fault('not_found');
        return toKnowledgeFileBody(file);
      },
    );

    await app.register(chunkRoute(parts));
    await app.register(bodilessRoutes(parts));
  };

const chunkRoute =
  ({ uploads }: KnowledgeFileParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Whatever a client calls them: they are bytes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    app.put(
      '/v1/knowledge-files/:id/upload',
      {
        bodyLimit: MAX_CHUNK_BYTES,
        schema: {
          tags,
          summary: 'Upload knowledge file chunk',
          description: `The bytes of one chunk, of any content type. Chunks come in any order; a number that comes again replaces what it had. A chunk has ${MAX_CHUNK_BYTES / MIB} MiB at most, a file ${MAX_FILE_BYTES / MIB} MiB.`,
          params: IdParams,
          querystring: ChunkQuery,
          // Not empty; without a type, as the bytes are a buffer here.
          body: { content: { 'application/octet-stream': { schema: { not: { const: '' } } } } },
          response: {
            204: Type.Null({ description: 'The chunk is kept.' }),
            ...errors(401, 404, 409, 413, 422),
          },
        },
      },
      async (request, reply) => {
        const bytes: unknown = request.body;
        if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
          throw problem('missing', ['body'], 'Field required', null);
        }
        const { account, params, query } = request;
        await uploads.putChunk(account.id, params.id, query.chunk_number, bytes);
        return reply.code(204).send(null);
      },
    );
  };

const bodilessRoutes =
  ({ knowledgeFiles, uploads }: KnowledgeFileParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);

    app.post(
      '/v1/knowledge-files/:id/submit',
      {
        schema: {
          tags,
          summary: 'Submit knowledge file',
          description: `Joins the chunks, takes the text out of them, and makes the file available; one that is available already is answered as it is. 400 says which chunk is missing, or why the bytes are not what the format says: text is UTF-8; of a PDF at most ${PDF_LIMITS.pages} pages are read, for ${PDF_LIMITS.withinMs / 1000} seconds.`,
          params: IdParams,
          response: {
            200: answer(AvailableKnowledgeFile, 'The knowledge file, with its text.'),
            ...errors(400, 401, 404, 409),
          },
        },
      },
      async (request) => {
        const file = await uploads.submit(request.account.id, request.params.id);
        request.log.info({ fileId: file.id }, 'knowledge file submitted');
        return toAvailableFile(file);
      },
    );

    app.delete(
      '/v1/knowledge-files/:id',
      {
        schema: {
          tags,
          summary: 'Delete knowledge file',
          description: 'Not while an agent refers to it: the answer names the agents.',
          params: IdParams,
          response: { 204: Type.Null({ description: 'It is gone.' }), ...errors(401, 404, 409) },
        },
      },
      async (request, reply) => {
        const isGone = await knowledgeFiles.delete(request.account.id, request.params.id);
        if (!isGone) throw new Fault('not_found');
        request.log.info({ fileId: request.params.id }, 'knowledge file deleted');
        return reply.code(204).send(null);
      },
    );
  };

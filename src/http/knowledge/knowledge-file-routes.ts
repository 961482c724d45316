import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { newRecordId } from '#shared/ids.ts';
import { storageOf } from '../../accounts/limits.ts';
import { problem } from '../../errors.ts';
import { PDF_LIMITS, PDFS_PER_ACCOUNT } from '../../knowledge/pdf-reader.ts';
import {
  MAX_CHUNK_BYTES,
  MAX_FILE_BYTES,
  SUBMITS_PER_ACCOUNT,
  type Uploader,
} from '../../knowledge/upload.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { KnowledgeFile } from '../../records/knowledge/knowledge-files.ts';
import { readBytes } from '../bodies/parsers.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, IdempotencyHeader, IdParams, named } from '../resource/schema-parts.ts';
import {
  AvailableKnowledgeFile,
  ChunkQuery,
  KnowledgeFileBody,
  KnowledgeFilePage,
  KnowledgeFileRequest,
  SubmitQuery,
  toKnowledgeFileBody,
  toListedFile,
} from './knowledge-file-schemas.ts';
import { deleteRoute, found, listRoute, type IdRequest } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';
import { sendFile } from './long-text.ts';

const tags = ['Agent Knowledge Files'];

const MIB = 1024 ** 2;

export const knowledgeFileRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { idempotency, auditor, clock } = services;
    const { knowledgeFiles } = services.records;

    app.post(
      '/v1/knowledge-files',
      {
        // Fits the longest text when JSON escapes every character as 12 bytes.
        bodyLimit: MAX_CHUNK_BYTES,
        schema: {
          tags,
          summary: 'Create knowledge file',
          description:
            'A text file given with its `content` is available at once. Any other file is uploaded in chunks and then submitted. The plan limits how many files and bytes an account may store.',
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
          const advice = 'A PDF is uploaded in chunks: leave out `content`';
          throw problem('not_available', ['body', 'content'], advice, null);
        }
        const key = request.headers['idempotency-key'];
        const requestIdentity = [request.method, request.routeOptions.url, request.body];
        const { status, body } = await idempotency.once(
          account.id,
          key,
          requestIdentity,
          async () => {
            const file: KnowledgeFile = {
              id: newRecordId(),
              accountId: account.id,
              name,
              format,
              status: content === undefined ? 'to-upload' : 'available',
              createdAt: clock.now(),
            };
            const fileBody = toListedFile(file);
            const created = {
              action: 'knowledge_file.created',
              targetId: file.id,
              after: fileBody,
            } as const;
            await auditor.change(request, created, (records) =>
              records.knowledgeFiles.insert(file, content ?? null, storageOf(account)),
            );
            log.info({ fileId: file.id, format }, 'knowledge file created');
            return {
              status: 201,
              body: toKnowledgeFileBody(file, content ?? null),
            };
          },
        );
        return reply.code(status).send(body);
      },
    );

    listRoute(app, '/v1/knowledge-files', {
      schema: {
        tags,
        summary: 'List knowledge files',
        description: 'Most recent first, without their texts.',
        response: { 200: answer(KnowledgeFilePage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => knowledgeFiles.page(account.id, page),
      toBody: toListedFile,
    });

    const send = sendFile(services);
    app.get(
      '/v1/knowledge-files/:id',
      {
        schema: {
          tags,
          summary: 'Retrieve knowledge file',
          description: 'Includes the text once the file is available.',
          params: IdParams,
          response: { 200: answer(KnowledgeFileBody, 'The knowledge file.'), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const { account, params } = request;
        const file = found(await knowledgeFiles.find(account.id, params.id));
        const text = await knowledgeFiles.textOf(account.id, file.id);
        return text ? send(reply, { ...file, text }) : toKnowledgeFileBody(file, null);
      },
    );

    await app.register(chunkRoute(services));
    await app.register(submitRoute(services, send));
    await deleteRoute(app, '/v1/knowledge-files/:id', {
      schema: {
        tags,
        summary: 'Delete knowledge file',
        description: 'Refused while an agent uses it; the error names the agents.',
        response: errors(401, 404, 409),
      },
      remove: async (request) => {
        const { account, params, log } = request;
        const isDeleted = await auditor.around(
          request,
          audited(request, 'knowledge_file.deleted'),
          (records) => records.knowledgeFiles.delete(account.id, params.id),
        );
        if (isDeleted) log.info({ fileId: params.id }, 'knowledge file deleted');
        return isDeleted;
      },
    });
  };

const chunkRoute =
  ({ uploads, bodies }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.removeAllContentTypeParsers();
    readBytes(app, bodies);
    app.put(
      '/v1/knowledge-files/:id/upload',
      {
        bodyLimit: MAX_CHUNK_BYTES,
        schema: {
          tags,
          summary: 'Upload knowledge file chunk',
          description: `The bytes of one chunk, of any content type. Chunks may arrive in any order; a repeated number replaces the earlier chunk. At most ${MAX_CHUNK_BYTES / MIB} MiB per chunk and ${MAX_FILE_BYTES / MIB} MiB per file. A file that gets no chunk for 24 hours and is not submitted is deleted.`,
          params: IdParams,
          querystring: ChunkQuery,
          // Not empty. No `type`, because the body is a Buffer.
          body: { content: { 'application/octet-stream': { schema: { not: { const: '' } } } } },
          response: {
            204: Type.Null({ description: 'The chunk is stored.' }),
            ...errors(401, 404, 409, 413, 422),
          },
        },
      },
      async (request, reply) => {
        const bytes: unknown = request.body;
        if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
          throw problem('missing', ['body'], 'Field required', null);
        }
        const { params, query } = request;
        await uploads.putChunk(uploader(request), params.id, query.chunk_number, bytes);
        return reply.code(204).send(null);
      },
    );
  };

const submitRoute =
  ({ uploads, auditor }: Services, send: ReturnType<typeof sendFile>): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);

    app.post(
      '/v1/knowledge-files/:id/submit',
      {
        schema: {
          tags,
          summary: 'Submit knowledge file',
          description: `Joins the chunks, extracts the text and makes the file available. A file that is already available is returned unchanged. State their totals to be sure that none is lost. 400 names a missing chunk or says why the bytes do not match the format: text must be UTF-8; at most ${PDF_LIMITS.pages} pages of a PDF are read, within ${PDF_LIMITS.withinMs / 1000} seconds, and a PDF without text is refused. An account may submit ${SUBMITS_PER_ACCOUNT} files at a time, of which ${PDFS_PER_ACCOUNT} PDFs.`,
          params: IdParams,
          querystring: SubmitQuery,
          response: {
            200: answer(AvailableKnowledgeFile, 'The knowledge file with its text.'),
            ...errors(400, 401, 404, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { params, query } = request;
        const submitting = audited(request, 'knowledge_file.submitted');
        const file = await uploads.submit(uploader(request), params.id, query, (finish) =>
          auditor.around(request, submitting, (records) => finish(records.knowledgeFiles)),
        );
        request.log.info({ fileId: file.id }, 'knowledge file submitted');
        return send(reply, file);
      },
    );
  };

const uploader = ({ account }: FastifyRequest): Uploader => ({
  accountId: account.id,
  limits: storageOf(account),
});

const audited = (
  { account, params }: IdRequest,
  action: 'knowledge_file.deleted' | 'knowledge_file.submitted',
) => ({
  action,
  targetId: params.id,
  async read({ knowledgeFiles }: AuditedRecords) {
    const file = await knowledgeFiles.find(account.id, params.id);
    return file && toListedFile(file);
  },
});

/* The audit log, for the account's owner, and for operators, who see every account. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Fault } from '../../errors.ts';
import type { AuditEntry, AuditFilter } from '../../records/audit/audit-log.ts';
import type { PageRequest } from '../../records/engine/pages.ts';
import { toCsvLine } from './csv.ts';
import { stillPermitted } from '../auth/still-permitted.ts';
import { itemsOf, pagesOf } from '../export/parts.ts';
import { breakOffWhenRevoked, whilePermitted } from '../export/revocable.ts';
import { RunningExports } from '../export/running-exports.ts';
import {
  AuditExportQuery,
  AuditPage,
  AuditQuery,
  toAuditEntryBody,
  type AuditFilters,
} from './audit-log-schemas.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { readSpan } from '../resource/time-span.ts';
import { answerPage } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Account'];

export const auditLogRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { records, longAnswers } = services;
    const { auditLog } = records;
    const running = new RunningExports();

    app.get(
      '/v1/audit-log',
      {
        config: { isForOperators: true },
        schema: {
          tags,
          summary: 'List audit log',
          description:
            'Who changed what, when and from where, most recent first. Keys of an account see its changes; operator keys see those of every account and of the installation. Entries cannot be changed or deleted. Sessions and calls have their own lists.',
          querystring: AuditQuery,
          response: { 200: answer(AuditPage, 'One page.'), ...errors(400, 401, 422) },
        },
      },
      async (request) => {
        const filter = readFilter(request, request.query);
        const read = (page: PageRequest) => auditLog.page(page, filter);
        return answerPage(request.query, read, toAuditEntryBody);
      },
    );

    app.get(
      '/v1/audit-log/export',
      {
        // A HEAD request would read the whole log.
        exposeHeadRoute: false,
        config: { isForOperators: true },
        schema: {
          tags,
          summary: 'Export audit log',
          description: 'All matching entries as one file, most recent first. One export at a time.',
          querystring: AuditExportQuery,
          response: {
            200: {
              description: 'The file.',
              content: {
                'application/x-ndjson': { schema: Type.String() },
                'text/csv': { schema: Type.String() },
              },
            },
            ...errors(400, 401, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { format: name = 'ndjson' } = request.query;
        const { type, write } = formats[name];
        const filter = readFilter(request, request.query);
        const end = running.begin(request.account.id);
        const isPermitted = stillPermitted(request, services, 'audit_log', 'read');
        const pages = pagesOf((page) => auditLog.page(page, filter));
        const permitted = whilePermitted(pages, isPermitted);
        const entries = itemsOf(longAnswers.paced(request.account.id, permitted));
        reply.type(type).header('content-disposition', `attachment; filename="audit-log.${name}"`);
        // `close` alone comes after the client has the whole answer.
        const file = Readable.from(write(entries)).once('end', end).once('close', end);
        breakOffWhenRevoked(file, services, isPermitted);
        return file;
      },
    );
  };

function readFilter(
  { account, scope }: FastifyRequest,
  {
    action,
    target_id: targetId,
    actor_id: actorId,
    account_id: requestedAccountId,
    ...span
  }: AuditFilters,
): AuditFilter {
  if (
    scope !== 'operator' &&
    requestedAccountId !== undefined &&
    requestedAccountId !== account.id
  ) {
    throw new Fault('forbidden');
  }
  const accountId = scope === 'operator' ? requestedAccountId : account.id;
  return { accountId, action, targetId, actorId, ...readSpan(span) };
}

type Format = {
  type: string;
  write: (entries: AsyncIterable<AuditEntry>) => AsyncGenerator<string>;
};

const formats: Record<'ndjson' | 'csv', Format> = {
  ndjson: { type: 'application/x-ndjson', write: toLines },
  csv: { type: 'text/csv; charset=utf-8', write: toCsv },
};

async function* toLines(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(toAuditEntryBody(entry))}\n`;
}

const COLUMNS =
  'id,at,account_id,actor_type,actor_id,actor_name,address,action,target_id,before,after';

async function* toCsv(entries: AsyncIterable<AuditEntry>): AsyncGenerator<string> {
  yield `${COLUMNS}\r\n`;
  for await (const entry of entries) {
    const { id, at, account_id, actor, address, action, target_id, before, after } =
      toAuditEntryBody(entry);
    const states = [before, after].map((state) => state && JSON.stringify(state));
    const { type, name } = actor;
    const line = toCsvLine([
      id,
      at,
      account_id,
      type,
      actor.id,
      name,
      address,
      action,
      target_id,
      ...states,
    ]);
    yield `${line}\r\n`;
  }
}

/* Deletion of single sessions and calls on request. The receipt is an entry of the audit log. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AuditAction } from '../../accounts/audit-actions.ts';
import type { ErasureOnRequest } from '../../records/erasure/erasure-on-request.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, IdParams } from '../resource/schema-parts.ts';
import { DeletionReceipt, toDeletionReceipt } from './erasure-schemas.ts';
import { found, type IdRequest } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

export const erasureRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { erasureOnRequest: erasure } = services.records;
    ignoreBodies(app);

    app.delete(
      '/v1/sessions/:id',
      {
        schema: {
          tags: ['Speech-to-Video Sessions'],
          summary: 'Delete speech-to-video session',
          description:
            'Deletes a completed session with its timeline and its webhook events, delivered or not. Its minutes still count.',
          ...answers,
        },
      },
      (request) => erase(services, request, 'session.deleted', erasure.session),
    );

    app.delete(
      '/v1/calls/:id',
      {
        schema: {
          tags: ['Agent Conversations'],
          summary: 'Delete call',
          description:
            'Deletes a completed call with its transcript, its session and its webhook events, delivered or not. Its minutes still count.',
          ...answers,
        },
      },
      (request) => erase(services, request, 'call.deleted', erasure.call),
    );
  };

const answers = {
  params: IdParams,
  response: {
    200: answer(DeletionReceipt, 'What was deleted.'),
    ...errors(401, 404, 409),
  },
};

async function erase(
  { auditor, clock }: Services,
  request: IdRequest,
  action: AuditAction,
  run: ErasureOnRequest['session'],
) {
  const { account, params, log } = request;
  const { id } = params;
  const deletedAt = clock.now();
  const receipt = found(
    await run(account.id, id, deletedAt, async (trx, erased) => {
      const change = { action, targetId: id, after: { ...erased } };
      const entry = await auditor.record(request, change, trx);
      return { receiptId: entry.id, deletedAt, erased };
    }),
  );
  log.info({ id, erased: receipt.erased }, action);
  return toDeletionReceipt(id, receipt);
}

// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import type { Transport } from '../transport.ts';
import type * as models from './models.ts';

export type AuditLogListParams = {
  limit?: number;
  action?:
    | 'account.created'
    | 'account.deleted'
    | 'account.exported'
    | 'account.updated'
    | 'account_domain.created'
    | 'account_domain.deleted'
    | 'admin.created'
    | 'admin.deleted'
    | 'admin.signed_in'
    | 'admin.updated'
    | 'agent.created'
    | 'agent.deleted'
    | 'agent.made_private'
    | 'agent.made_public'
    | 'agent.updated'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'api_key.updated'
    | 'avatar.created'
    | 'avatar.deleted'
    | 'call.deleted'
    | 'call.ended'
    | 'canary.ended'
    | 'canary.started'
    | 'canary.stopped'
    | 'external_api.created'
    | 'external_api.deleted'
    | 'external_api.updated'
    | 'fleet.rebalanced'
    | 'fleet.repaired'
    | 'invitation.created'
    | 'invitation.deleted'
    | 'knowledge_file.created'
    | 'knowledge_file.deleted'
    | 'knowledge_file.submitted'
    | 'overflow.removed'
    | 'overflow.set'
    | 'person.created'
    | 'person.deleted'
    | 'person.link_created'
    | 'person.signed_in'
    | 'person.signed_out'
    | 'person.updated'
    | 'secret_key.removed'
    | 'secret_key.rotated'
    | 'session.deleted'
    | 'session.ended'
    | 'speech_model.installed'
    | 'webhook.created'
    | 'webhook.deleted'
    | 'webhook.secret_rotated'
    | 'webhook.updated'
    | 'worker.cordoned'
    | 'worker.drained'
    | 'worker.log_level_set'
    | 'worker.resumed'
    | 'worker_token.created'
    | 'worker_token.revoked';
  /** The changed resource. */
  target_id?: string;
  /** The key or administrator. */
  actor_id?: string;
  /** For operator keys, which see all accounts. */
  account_id?: string;
  /** At or after this time. */
  from?: string;
  /** Before this time. */
  to?: string;
};

export type AuditLogExportParams = {
  format?: 'ndjson' | 'csv';
  action?:
    | 'account.created'
    | 'account.deleted'
    | 'account.exported'
    | 'account.updated'
    | 'account_domain.created'
    | 'account_domain.deleted'
    | 'admin.created'
    | 'admin.deleted'
    | 'admin.signed_in'
    | 'admin.updated'
    | 'agent.created'
    | 'agent.deleted'
    | 'agent.made_private'
    | 'agent.made_public'
    | 'agent.updated'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'api_key.updated'
    | 'avatar.created'
    | 'avatar.deleted'
    | 'call.deleted'
    | 'call.ended'
    | 'canary.ended'
    | 'canary.started'
    | 'canary.stopped'
    | 'external_api.created'
    | 'external_api.deleted'
    | 'external_api.updated'
    | 'fleet.rebalanced'
    | 'fleet.repaired'
    | 'invitation.created'
    | 'invitation.deleted'
    | 'knowledge_file.created'
    | 'knowledge_file.deleted'
    | 'knowledge_file.submitted'
    | 'overflow.removed'
    | 'overflow.set'
    | 'person.created'
    | 'person.deleted'
    | 'person.link_created'
    | 'person.signed_in'
    | 'person.signed_out'
    | 'person.updated'
    | 'secret_key.removed'
    | 'secret_key.rotated'
    | 'session.deleted'
    | 'session.ended'
    | 'speech_model.installed'
    | 'webhook.created'
    | 'webhook.deleted'
    | 'webhook.secret_rotated'
    | 'webhook.updated'
    | 'worker.cordoned'
    | 'worker.drained'
    | 'worker.log_level_set'
    | 'worker.resumed'
    | 'worker_token.created'
    | 'worker_token.revoked';
  /** The changed resource. */
  target_id?: string;
  /** The key or administrator. */
  actor_id?: string;
  /** For operator keys, which see all accounts. */
  account_id?: string;
  /** At or after this time. */
  from?: string;
  /** Before this time. */
  to?: string;
};

export class AuditLogResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List audit log. Who changed what, when and from where, most recent first. Keys of an account see
   * its changes; operator keys see those of every account and of the installation. Entries cannot be
   * changed or deleted. Sessions and calls have their own lists.
   */
  list(query: AuditLogListParams = {}, options: RequestOptions = {}): Pages<models.AuditEntry> {
    return this.#transport.pages({ method: 'GET', path: '/v1/audit-log', query }, options);
  }

  /** Export audit log. All matching entries as one file, most recent first. One export at a time. */
  export(query: AuditLogExportParams = {}, options: RequestOptions = {}): Promise<Response> {
    return this.#transport.raw({ method: 'GET', path: '/v1/audit-log/export', query }, options);
  }
}

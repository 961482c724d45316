import Type, { type Static } from 'typebox';
import { AUDIT_ACTIONS } from '../../accounts/audit-actions.ts';
import type { AuditEntry } from '../../records/audit/audit-log.ts';
import { ACTOR_TYPES } from '../../records/engine/tables/audit-columns.ts';
import { Id, isoTime, named, PageQuery, pageOf, Time } from '../resource/schema-parts.ts';

const TextOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description });

const State = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });

export const AuditEntryBody = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    at: Time,
    account_id: TextOrNull('Null: a change of the installation.'),
    actor: Type.Object({
      type: Type.Enum(ACTOR_TYPES, {
        type: 'string',
        description:
          '`key`: an API key. `admin`: an administrator. `page`: a page of the service. `command`: a script on the machine. `service`: the service itself.',
      }),
      id: TextOrNull('Null for the shared admin password.'),
      name: TextOrNull('At the time of the change.'),
    }),
    address: TextOrNull('IP address of the request.'),
    action: Type.Enum(AUDIT_ACTIONS, { type: 'string' }),
    target_id: TextOrNull('The changed resource.'),
    before: State('Fields before the change; of an update only those that changed.'),
    after: State('Fields after the change, without secrets. Long texts are cut.'),
  },
  { $id: 'AuditEntry' },
);
export type AuditEntryBody = Static<typeof AuditEntryBody>;

export const AuditPage = pageOf(named(AuditEntryBody), 'AuditPage');

export const auditSchemas = [AuditEntryBody, AuditPage];

const filters = {
  action: Type.Optional(Type.Enum(AUDIT_ACTIONS, { type: 'string' })),
  target_id: Type.Optional({ ...Id, description: 'The changed resource.' }),
  actor_id: Type.Optional({ ...Id, description: 'The key or administrator.' }),
  account_id: Type.Optional({ ...Id, description: 'For operator keys, which see all accounts.' }),
  from: Type.Optional({ ...Time, description: 'At or after this time.' }),
  to: Type.Optional({ ...Time, description: 'Before this time.' }),
};

export const AuditQuery = Type.Object({ ...PageQuery.properties, ...filters });

export const AuditExportQuery = Type.Object({
  format: Type.Optional(Type.Enum(['ndjson', 'csv'], { type: 'string', default: 'ndjson' })),
  ...filters,
});

export type AuditFilters = Omit<Static<typeof AuditExportQuery>, 'format'>;

export const toAuditEntryBody = (entry: AuditEntry): AuditEntryBody => ({
  id: entry.id,
  at: isoTime(entry.createdAt),
  account_id: entry.accountId,
  actor: entry.actor,
  address: entry.address,
  action: entry.action as AuditEntryBody['action'],
  target_id: entry.targetId,
  before: entry.before,
  after: entry.after,
});

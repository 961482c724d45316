/* Every schema with a name in the OpenAPI document, except those that depend on settings. */
import { OwnAccount } from './account/account-schemas.ts';
import { keySchemas } from './admin/admin-schemas.ts';
import { agentSchemas } from './agents/agent-schemas.ts';
import { auditSchemas } from './audit/audit-log-schemas.ts';
import { avatarSchemas } from './avatars/avatar-schemas.ts';
import { callSchemas } from './calls/call-schemas.ts';
import { chatSchemas } from './chat/chat-schemas.ts';
import { ErrorBody, ValidationErrorBody } from './resource/schema-parts.ts';
import { DeletionReceipt } from './account/erasure-schemas.ts';
import { eventSchemas } from './events/event-schemas.ts';
import { externalApiSchemas } from './external-apis/external-api-schemas.ts';
import { canarySchemas } from './fleet/canary-schemas.ts';
import { overflowSchemas } from './fleet/overflow-schemas.ts';
import { fleetSchemas } from './fleet/fleet-schemas.ts';
import { alertSchemas } from './alerts/alert-schemas.ts';
import { historySchemas } from './fleet/history-schemas.ts';
import { HealthBody } from './health/health-schemas.ts';
import { knowledgeFileSchemas } from './knowledge/knowledge-file-schemas.ts';
import { RequestLogBody } from './requests/request-log-schemas.ts';
import { peopleSchemas } from './people/people-schemas.ts';
import { sessionSchemas } from './sessions/session-schemas.ts';
import { SheetBody } from './avatars/sheet-schemas.ts';
import { TimelineBody } from './sessions/timeline-schemas.ts';
import { webhookSchemas } from './webhooks/webhook-schemas.ts';
import { UsageBody } from './account/usage-schemas.ts';
import { workerTokenSchemas } from './workers/worker-token-schemas.ts';

export const schemas = [
  ErrorBody,
  ValidationErrorBody,
  ...avatarSchemas,
  SheetBody,
  ...sessionSchemas,
  TimelineBody,
  UsageBody,
  ...callSchemas,
  ...chatSchemas,
  ...eventSchemas,
  ...webhookSchemas,
  ...agentSchemas,
  ...knowledgeFileSchemas,
  ...externalApiSchemas,
  ...fleetSchemas,
  ...workerTokenSchemas,
  ...canarySchemas,
  ...overflowSchemas,
  ...auditSchemas,
  DeletionReceipt,
  OwnAccount,
  HealthBody,
  ...alertSchemas,
  ...historySchemas,
  RequestLogBody,
  ...keySchemas,
  ...peopleSchemas,
];

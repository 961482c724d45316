/* Every schema with a name in the OpenAPI document, except those that depend on settings. */
import { OwnAccount } from './account.ts';
import { keySchemas } from './admin.ts';
import { agentSchemas } from './agents.ts';
import { auditSchemas } from './audit-log.ts';
import { avatarSchemas } from './avatars.ts';
import { callSchemas } from './calls.ts';
import { chatSchemas } from './chat.ts';
import { ErrorBody, ValidationErrorBody } from './common.ts';
import { DeletionReceipt } from './erasure.ts';
import { eventSchemas } from './events.ts';
import { externalApiSchemas } from './external-apis.ts';
import { canarySchemas } from './canary.ts';
import { overflowSchemas } from './overflow.ts';
import { fleetSchemas } from './fleet.ts';
import { alertSchemas } from './alerts.ts';
import { historySchemas } from './history.ts';
import { HealthBody } from './health.ts';
import { knowledgeFileSchemas } from './knowledge-files.ts';
import { RequestLogBody } from './request-log.ts';
import { peopleSchemas } from './people.ts';
import { sessionSchemas } from './sessions.ts';
import { SheetBody } from './sheet.ts';
import { TimelineBody } from './timeline.ts';
import { webhookSchemas } from './webhooks.ts';
import { UsageBody } from './usage.ts';
import { workerTokenSchemas } from './worker-tokens.ts';

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

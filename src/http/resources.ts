import { account } from './account/account-resource.ts';
import { admin } from './admin/admin-resource.ts';
import { agentLogos, agents } from './agents/agent-resource.ts';
import { auditLog } from './audit/audit-log-resource.ts';
import { withKey } from './auth/with-key.ts';
import { pageTokens } from './auth/page-token-resource.ts';
import { avatarPictures, avatars } from './avatars/avatar-resource.ts';
import { calls } from './calls/call-resource.ts';
import { chat } from './chat/chat-resource.ts';
import { vendors } from './compat/vendor-resource.ts';
import { consoleApi } from './console/console-resource.ts';
import { erasure } from './erasure/erasure-resource.ts';
import { accountExport } from './export/export-resource.ts';
import { externalApis } from './external-apis/external-api-resource.ts';
import { fleet } from './fleet/fleet-resource.ts';
import { health } from './health/health-resource.ts';
import { history } from './history/history-resource.ts';
import { keys } from './keys/key-resource.ts';
import { knowledge } from './knowledge/knowledge-resource.ts';
import { olderForms } from './older/older-resource.ts';
import { pages } from './pages/page-resource.ts';
import { people } from './people/people-resource.ts';
import { playground } from './playground/playground-resource.ts';
import { requestLog } from './requests/request-log-resource.ts';
import type { Resource } from './resource/resource.ts';
import { sessions } from './sessions/session-resource.ts';
import { voices, voiceRecordings } from './voices/voice-resource.ts';
import { webhooks } from './webhooks/webhook-resource.ts';
import { workers } from './workers/worker-resource.ts';

/** All that the server answers, in the order of the API document. */
export const resources: readonly Resource[] = [
  health,
  avatarPictures,
  agentLogos,
  voiceRecordings,
  workers,
  pageTokens,
  consoleApi,
  pages,
  withKey([
    fleet,
    accountExport,
    avatars,
    sessions,
    account,
    requestLog,
    history,
    auditLog,
    keys,
    people,
    erasure,
    calls,
    agents,
    voices,
    knowledge,
    externalApis,
    webhooks,
    playground,
    olderForms,
  ]),
  chat,
  vendors,
  admin,
];

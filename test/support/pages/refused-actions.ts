import type { Page } from 'playwright-core';

/** Pages of an account with buttons that change something, and their titles. */
export const CHANGES = [
  ['/agents', 'Agents'],
  ['/avatars', 'Avatars'],
  ['/knowledge', 'Knowledge'],
  ['/apis', 'External APIs'],
  ['/keys', 'API keys'],
  ['/webhooks', 'Webhooks'],
  ['/people', 'People'],
] as const;

/** Names of buttons that change something. */
export const CHANGING =
  /^(New|Make|Delete|Revoke|Save|Invite|Remove|Check|Sign-in link|End|Send|Enable|Disable|New secret|Withdraw|Choose|Cordon|Resume|Drain)/;

/** Requests of the console's buttons that are refused to viewers. */
export const REFUSED_TO_VIEWERS = [
  'POST /v1/agents',
  'PATCH /v1/agents/x',
  'DELETE /v1/agents/x',
  'POST /v1/agents/x/link-secret',
  'DELETE /v1/agents/x/link-secret',
  'POST /v1/avatars',
  'DELETE /v1/avatars/x',
  'POST /v1/knowledge-files',
  'PUT /v1/knowledge-files/x/upload?chunk_number=0',
  'POST /v1/knowledge-files/x/submit',
  'DELETE /v1/knowledge-files/x',
  'POST /v1/external-apis',
  'POST /v1/external-apis/x/check',
  'DELETE /v1/external-apis/x',
  'POST /v1/api-keys',
  'DELETE /v1/api-keys/x',
  'POST /v1/webhooks',
  'PATCH /v1/webhooks/x',
  'DELETE /v1/webhooks/x',
  'POST /v1/webhooks/x/test',
  'POST /v1/webhooks/x/rotate-secret',
  'POST /v1/webhooks/x/deliveries/y/redeliver',
  'POST /v1/sessions/x/end',
  'GET /v1/audit-log',
];

/** Requests that only owners and operators may send. */
export const REFUSED_TO_BUILDERS = [
  'PATCH /v1/people/x',
  'DELETE /v1/people/x',
  'POST /v1/people/x/sign-in-links',
  'POST /v1/invitations',
  'DELETE /v1/invitations/x',
  'PATCH /v1/account',
  'GET /v1/fleet/workers',
  'POST /v1/fleet/workers/x/cordon',
  'POST /v1/fleet/workers/x/resume',
  'POST /v1/fleet/workers/x/drain',
  'GET /v1/fleet/health',
  'GET /v1/fleet/alerts',
  'GET /admin/accounts',
  'POST /admin/accounts',
  'POST /admin/invitations',
  'PATCH /admin/accounts/x',
];

/** Asks as the console's pages do. Returns what is not refused. */
export const notRefused = (page: Page, requests: string[]): Promise<string[]> =>
  page.evaluate(async (list) => {
    const violations: string[] = [];
    for (const request of list) {
      const [method = '', path = ''] = request.split(' ');
      const body = method === 'GET' ? null : '{}';
      const headers = { 'x-troupe-console': '1', 'content-type': 'application/json' };
      const { status } = await fetch(path, { method, headers, body });
      if (status !== 403) violations.push(`${request}: ${status}`);
    }
    return violations;
  }, requests);

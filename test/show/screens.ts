import type { Page } from 'playwright-core';
import type { Scene } from './console-scene.ts';
import { FOURTH_AVATAR } from '../support/cast.ts';

/** One picture. `prepare` brings the page into a state. */
export type Screen = {
  name: string;
  path: (scene: Scene) => string;
  prepare?: (page: Page) => Promise<void>;
};

const at = (name: string, path: string, prepare?: Screen['prepare']): Screen => ({
  name,
  path: () => path,
  ...(prepare && { prepare }),
});

const click = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).first().click();

/** Pages of the console, with a signed-in person. */
export const CONSOLE_SCREENS: readonly Screen[] = [
  at('console-home', '/console'),
  at('console-sessions', '/console/sessions'),
  at('console-sessions-none-found', '/console/sessions?q=ffffffff'),
  { name: 'console-session-live', path: ({ sessions }) => `/console/sessions/${sessions.live}` },
  { name: 'console-session-ended', path: ({ sessions }) => `/console/sessions/${sessions.ended}` },
  {
    name: 'console-session-failed',
    path: ({ sessions }) => `/console/sessions/${sessions.failed}`,
  },
  {
    name: 'console-session-end-question',
    path: ({ sessions }) => `/console/sessions/${sessions.live}`,
    prepare: click('End session'),
  },
  at('console-session-unknown', '/console/sessions/none'),
  at('console-start', '/console/start'),
  at('console-agents', '/console/agents'),
  { name: 'console-agent', path: ({ agentId }) => `/console/agents/${agentId}` },
  at('console-avatars', '/console/avatars'),
  at('console-avatar', '/console/avatars', async (page) => {
    await click(`Mouth shapes and expressions of ${FOURTH_AVATAR.name}`)(page);
    await page.locator('.sheet-tiles').first().waitFor();
  }),
  at('console-avatar-new', '/console/avatars', click('New avatar')),
  at('console-knowledge', '/console/knowledge'),
  at('console-apis', '/console/apis'),
  at('console-keys', '/console/keys'),
  at('console-key-new', '/console/keys', click('New key')),
  at('console-webhooks', '/console/webhooks'),
  { name: 'console-webhook', path: ({ webhookId }) => `/console/webhooks/${webhookId}` },
  at('console-requests', '/console/requests'),
  at('console-people', '/console/people'),
  at('console-fleet', '/console/fleet'),
  at('console-drain-question', '/console/fleet', click(/^Drain/)),
  at('console-health', '/console/health'),
  at('console-accounts', '/console/accounts'),
  at('console-audit', '/console/audit'),
  at('console-missing', '/console/nowhere'),
];

/** Pages that need no sign-in. */
export const PUBLIC_SCREENS: readonly Screen[] = [
  at('console-sign-in', '/console'),
  at('front', '/'),
  at('try', '/try'),
  { name: 'room', path: ({ agentId }) => `/${agentId}` },
  at('room-unknown', '/00000000-0000-4000-8000-000000000000'),
  at('docs', '/docs'),
  at('docs-concepts', '/docs/concepts'),
  at('docs-api', '/docs/api/agents'),
];

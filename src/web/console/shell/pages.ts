import type { IconName } from '../parts/icon.tsx';
import { may, type Me } from '../service/me.ts';
import { texts } from '../texts/texts.ts';

export type PageName = keyof typeof texts.shell.pages;

/** `needs`: a scope of the account, or `operator`. */
export type PageEntry = { href: string; icon: IconName; needs: string };

export const PAGES: Record<PageName, PageEntry> = {
  home: { href: '/', icon: 'home', needs: 'sessions:read' },
  sessions: { href: '/sessions', icon: 'sessions', needs: 'sessions:read' },
  conversations: { href: '/conversations', icon: 'conversations', needs: 'calls:read' },
  start: { href: '/start', icon: 'start', needs: 'account:read' },
  agents: { href: '/agents', icon: 'agents', needs: 'agents:read' },
  playground: { href: '/playground', icon: 'playground', needs: 'sessions:write' },
  avatars: { href: '/avatars', icon: 'avatars', needs: 'avatars:read' },
  knowledge: { href: '/knowledge', icon: 'knowledge', needs: 'knowledge_files:read' },
  apis: { href: '/apis', icon: 'apis', needs: 'external_apis:read' },
  keys: { href: '/keys', icon: 'keys', needs: 'api_keys:read' },
  webhooks: { href: '/webhooks', icon: 'webhooks', needs: 'webhooks:read' },
  requests: { href: '/requests', icon: 'requests', needs: 'account:read' },
  people: { href: '/people', icon: 'people', needs: 'people:read' },
  fleet: { href: '/fleet', icon: 'fleet', needs: 'operator' },
  health: { href: '/health', icon: 'health', needs: 'operator' },
  accounts: { href: '/accounts', icon: 'person', needs: 'operator' },
  audit: { href: '/audit', icon: 'audit', needs: 'audit_log:read' },
};

export const MENU: { group: keyof typeof texts.shell.groups | null; pages: PageName[] }[] = [
  { group: null, pages: ['home', 'sessions', 'conversations'] },
  { group: 'build', pages: ['start', 'agents', 'playground', 'avatars', 'knowledge', 'apis'] },
  { group: 'account', pages: ['keys', 'webhooks', 'requests', 'people', 'audit'] },
  { group: 'operate', pages: ['fleet', 'health', 'accounts'] },
];

export const allows = (me: Me, { needs }: PageEntry): boolean =>
  needs === 'operator'
    ? me.is_operator
    : may(me, needs) || (me.is_operator && needs === 'audit_log:read');

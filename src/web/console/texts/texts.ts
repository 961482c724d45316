/* All texts of the console, but those of the playground, which come with it. */
import { agents } from './agents.ts';
import { avatars, knowledge } from './material.ts';
import { browsers, keys, people, start } from './access.ts';
import { apis, requests, webhooks } from './connections.ts';
import { conversations } from './conversations.ts';
import { home } from './home.ts';
import { accounts, operate } from './operate.ts';
import { sessions } from './sessions.ts';
import { shell, signIn, states } from './shell.ts';

export const texts = {
  accounts,
  agents,
  apis,
  avatars,
  browsers,
  conversations,
  home,
  keys,
  knowledge,
  operate,
  people,
  requests,
  sessions,
  shell,
  signIn,
  start,
  states,
  webhooks,
};

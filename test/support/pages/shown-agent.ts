import type { Agent } from '../../../src/web/call/connection/chat-service.ts';

/** An agent as the pages of visitors know it. */
export const SHOWN_AGENT: Agent = {
  name: 'Mira',
  language: 'en',
  picture: null,
  hears: true,
  hearsSoon: false,
  sees: false,
  hasAiLabel: true,
  accentColor: null,
  logo: null,
  welcomeText: null,
};

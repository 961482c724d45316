/* The pages for building, which are loaded when one of them is opened. */
export { AgentPage } from './agents/agent-page.tsx';
export { AgentsPage } from './agents/agents-page.tsx';
export { ApisPage } from './apis/apis-page.tsx';
export { AvatarsPage } from './avatars/avatars-page.tsx';
export { ConversationPage } from './conversations/conversation-page.tsx';
export { ConversationsPage } from './conversations/conversations-page.tsx';
export { FirstSteps } from './home/first-steps.tsx';
export { KeysPage } from './keys/keys-page.tsx';
export { KnowledgePage } from './knowledge/knowledge-page.tsx';
export { PeoplePage } from './people/people-page.tsx';
export { RequestsPage } from './requests/requests-page.tsx';
export { StartPage } from './start/start-page.tsx';
export { WebhookPage } from './webhooks/webhook-page.tsx';
export { WebhooksPage } from './webhooks/webhooks-page.tsx';

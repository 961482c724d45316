// Generated from /openapi.json by `npm run sdks`. Do not edit.
export type * from './auth.ts';
export type * from './fleet.ts';
export type * from './export.ts';
export type * from './avatars.ts';
export type * from './sessions.ts';
export type * from './account.ts';
export type * from './usage.ts';
export type * from './audit-log.ts';
export type * from './calls.ts';
export type * from './conversations.ts';
export type * from './rooms.ts';
export type * from './agents.ts';
export type * from './knowledge-files.ts';
export type * from './external-apis.ts';
export type * from './webhooks.ts';

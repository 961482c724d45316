import type { CallBrief } from '#protocol/call-brief.ts';

export const briefWith = (facts: Partial<CallBrief> = {}): CallBrief => ({
  callId: 'call-1',
  agentName: 'Mira',
  systemPrompt: null,
  greeting: null,
  language: 'en',
  leftMs: 600_000,
  user: { identity: 'user-1', name: null },
  faceIdentity: 'avatar_worker',
  llm: null,
  stt: null,
  tts: null,
  hasKnowledge: false,
  lines: [],
  ...facts,
});

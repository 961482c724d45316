import { describe, expect, test } from 'vitest';
import { changesBetween, draftOf } from '../../../../src/web/console/agents/draft.ts';
import type { Agent } from '../../../../src/clients/typescript/src/generated/models.ts';

const amounts = { model_tokens: 500_000, speech_characters: 100_000, seconds: 5_400 };

const agent: Agent = {
  id: '0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11',
  name: 'Nora',
  avatar_id: 'nora',
  system_prompt: null,
  language: 'en',
  greeting: null,
  max_session_length_minutes: 30,
  capabilities: [],
  llm: null,
  stt: null,
  tts: null,
  voice: null,
  turn_taking: { patience: 'medium', interruptibility: 'medium' },
  video: null,
  embeddings: null,
  knowledge_files: [],
  allowed_origins: [],
  limits: { call: amounts, day: amounts, link_day: amounts, texts_per_ten_minutes: 60 },
  appearance: { accent_color: null, logo: null, welcome_text: null },
  abilities: { hears: false, sees: null, thinks_with: null, speaks_with: 'built-in voice' },
  is_private: false,
  chat_url: 'https://troupe.example/nora',
  created_at: '2026-01-01T00:00:00.000000+00:00',
};

test('the wake-up phrases of an agent stay when it gets to see', () => {
  const wakeUp = { type: 'wakeup_mode', triggers: ['Nora'] } as const;
  const draft = draftOf({ ...agent, capabilities: [{ ...wakeUp, triggers: ['Nora'] }] });
  const capabilities = [...draft.capabilities, { type: 'webcam_vision' as const }];

  expect(changesBetween(draft, draft)).toEqual({});
  expect(changesBetween(draft, { ...draft, capabilities })).toEqual({
    capabilities: [wakeUp, { type: 'webcam_vision' }],
  });
});

describe('the limits of an agent in the form', () => {
  test('are sent in seconds, and an empty field restores the default', () => {
    const draft = draftOf(agent);
    const { limits } = draft;

    const changes = changesBetween(draft, {
      ...draft,
      limits: { ...limits, call: { ...limits.call, minutes: '2.5' }, texts_per_ten_minutes: '' },
    });

    expect(limits.call.minutes).toBe('90');
    expect(changes).toEqual({
      limits: {
        call: { ...amounts, seconds: 150 },
        day: amounts,
        link_day: amounts,
        texts_per_ten_minutes: null,
      },
    });
  });

  test.each([1, 29, 31, 59, 100, 86_399])('keep %d seconds', (seconds) => {
    const draft = draftOf({ ...agent, limits: { ...agent.limits, day: { ...amounts, seconds } } });

    const { limits } = changesBetween(draft, {
      ...draft,
      limits: { ...draft.limits, texts_per_ten_minutes: '1' },
    });

    expect(limits).toMatchObject({ day: { seconds } });
  });
});

import { describe, expect, test } from 'vitest';
import { VENDOR_ADAPTERS } from '../../../src/http/compat/vendor-adapters.ts';
import { changesBetween, draftOf } from '../../../src/web/console/agents/draft.ts';
import { attentionEntries } from '../../../src/web/console/home/attention.ts';
import { freeWithout } from '../../../src/web/console/operate/free-without.ts';
import { pointsOf } from '../../../src/web/console/service/history.ts';
import type { Agent, Usage, Worker } from '../../../src/clients/typescript/src/generated/models.ts';
import { VENDORS } from '../../../src/web/console/start/vendors.ts';

const usage: Usage = {
  plan: 'creator',
  period: { started_at: '2026-01-01T00:00:00Z', ends_at: '2026-02-01T00:00:00Z' },
  minutes_used: 10,
  minutes_limit: 300,
  overage_allowed: false,
  sessions_live: 1,
  sessions_limit: 3,
};

const worker = (fields: Partial<Worker>): Worker => ({
  id: 'one',
  kind: 'avatar',
  pool: 'default',
  version: '0.1.0',
  host: null,
  state: 'ready',
  cordoned: false,
  slots: 4,
  taken: 1,
  late_share: 0,
  frame_rate: 25,
  quality: 'full',
  since: '2026-01-01T00:00:00Z',
  drain: null,
  ...fields,
});

describe('what needs attention', () => {
  test('is nothing while all is well', () => {
    expect(attentionEntries({ usage, failures: [], workers: [worker({})] })).toEqual([]);
  });

  test('names a missing worker before used minutes', () => {
    const entries = attentionEntries({ usage: { ...usage, minutes_used: 270 }, workers: [] });

    expect(entries.map(({ text, isUrgent }) => [text, isUrgent])).toEqual([
      ['No worker is connected: sessions cannot start', true],
      ['90% of the minutes of the plan are used', false],
    ]);
  });
});

describe('free slots without a worker', () => {
  test('are those of its pool and kind that take sessions', () => {
    const otherWorkers = [
      worker({ id: 'two' }),
      worker({ id: 'three', pool: 'other' }),
      worker({ id: 'four', kind: 'agent' }),
      worker({ id: 'five', state: 'draining' }),
      worker({ id: 'six', state: 'cordoned', cordoned: true }),
    ];

    expect(freeWithout(worker({}), otherWorkers)).toBe(3);
  });
});

describe('the form of an agent', () => {
  const agent: Agent = {
    id: 'one',
    name: 'Mira',
    avatar_id: 'mira',
    system_prompt: 'Be kind.',
    language: 'en-GB',
    greeting: null,
    max_session_length_minutes: 20,
    capabilities: [{ type: 'webcam_vision' }, { type: 'wakeup_mode', triggers: ['Mira', 'hey'] }],
    llm: { type: 'openai_compatible', api_id: 'api', model: 'small', temperature: 0.2 },
    stt: null,
    tts: { type: 'openai_compatible', api_id: 'voices', model: 'loud', voice: 'ash' },
    voice: 'theo',
    turn_taking: { patience: 'high', interruptibility: 'low' },
    video: { width: 800, height: 600 },
    embeddings: null,
    allowed_origins: [],
    limits: {
      call: { model_tokens: 1, speech_characters: 2, seconds: 3 },
      day: { model_tokens: 4, speech_characters: 5, seconds: 6 },
      link_day: { model_tokens: 7, speech_characters: 8, seconds: 9 },
      texts_per_ten_minutes: 10,
    },
    knowledge_files: ['file'],
    appearance: { accent_color: null, logo: null, welcome_text: null },
    abilities: { hears: false, sees: null, thinks_with: null, speaks_with: 'built-in voice' },
    is_private: false,
    chat_url: 'https://troupe.example/one',
    created_at: '2026-01-01T00:00:00Z',
  };

  const changedAgent: Agent = {
    ...agent,
    name: 'Otto',
    avatar_id: 'otto',
    system_prompt: null,
    language: 'de',
    greeting: 'Hallo',
    max_session_length_minutes: 5,
    capabilities: [],
    llm: null,
    stt: { type: 'openai_compatible', api_id: 'ears', model: 'sharp' },
    tts: null,
    voice: null,
    turn_taking: { patience: 'medium', interruptibility: 'medium' },
    video: null,
    embeddings: { type: 'openai_compatible', api_id: 'api', model: 'dense' },
    knowledge_files: [],
    limits: { ...agent.limits, texts_per_ten_minutes: 20 },
  };

  test('sends what the agent shall have, and nothing that was not changed', () => {
    const changes = changesBetween(draftOf(changedAgent), draftOf(agent));

    expect(agent).toMatchObject(changes);
    expect(Object.keys(changes)).toHaveLength(Object.keys(agent).length - 7);
    const capabilities = [{ type: 'of a newer version' }] as unknown as Agent['capabilities'];
    const newer = draftOf({ ...agent, capabilities });
    expect(changesBetween(newer, { ...newer, greeting: ' Hello ' })).toEqual({ greeting: 'Hello' });
  });

  test('keeps its draft when another form of the page changes the agent', () => {
    const elsewhere = { ...agent, allowed_origins: ['https://a.example'], is_private: true };

    expect(draftOf(elsewhere)).toEqual(draftOf(agent));
  });

  test('restores defaults by null', () => {
    const original = draftOf(agent);
    const limits = { ...original.limits, texts_per_ten_minutes: '' };
    const draft = { ...original, prompt: ' ', limits };
    const changes = changesBetween(original, { ...draft, llm: { ...draft.llm, apiId: '' } });

    expect(changes).toMatchObject({
      system_prompt: null,
      llm: null,
      limits: { ...agent.limits, texts_per_ten_minutes: null },
    });
  });
});

describe('a history', () => {
  test('has 0 for steps without data', () => {
    const history = {
      step_seconds: 3600,
      points: [{ at: '2026-01-01T10:00:00.000000+00:00', minutes: 7 }],
    };
    const now = Date.UTC(2026, 0, 1, 12, 30);

    const points = pointsOf(history, 'minutes', { now, spanMs: 3 * 3_600_000 });

    expect(points.map(({ value }) => value)).toEqual([7, 0, 0]);
    expect(points[0]?.at).toBe('2026-01-01T10:00:00.000Z');
  });
});

describe('the quick start', () => {
  test('lists every vendor whose plugins work', () => {
    const adapters = VENDOR_ADAPTERS.map(({ word, name }) => ({ word, name }));

    expect([...VENDORS].sort(byWord)).toEqual(adapters.sort(byWord));
  });
});

const byWord = (a: { word: string }, b: { word: string }) => a.word.localeCompare(b.word);

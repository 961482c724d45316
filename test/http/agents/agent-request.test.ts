import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { newAgent } from '../../support/api/resources.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

type Bad = { wrong: string; more: object; loc: (string | number)[]; says?: RegExp };

const llm = { type: 'openai_compatible', api_id: 'a', model: 'm', temperature: 1 };

const bad: Bad[] = [
  { wrong: 'no name', more: { name: undefined }, loc: ['name'], says: /Field required/ },
  { wrong: 'an empty name', more: { name: '' }, loc: ['name'] },
  { wrong: 'a name of 101 letters', more: { name: 'x'.repeat(101) }, loc: ['name'] },
  { wrong: 'a NUL in the name', more: { name: 'a\0b' }, loc: ['name'] },
  { wrong: 'a null name', more: { name: null }, loc: ['name'] },
  { wrong: 'no avatar', more: { avatar_id: undefined }, loc: ['avatar_id'] },
  { wrong: 'an empty prompt', more: { system_prompt: '' }, loc: ['system_prompt'] },
  {
    wrong: 'a prompt that is too long',
    more: { system_prompt: 'x'.repeat(10_001) },
    loc: ['system_prompt'],
  },
  {
    wrong: 'a number as prompt',
    more: { system_prompt: 5 },
    loc: ['system_prompt'],
    says: /string/,
  },
  { wrong: 'an unknown language', more: { language: 'tlh' }, loc: ['language'], says: /'pt-BR'/ },
  { wrong: 'a long greeting', more: { greeting: 'x'.repeat(1001) }, loc: ['greeting'] },
  {
    wrong: 'a time limit of zero',
    more: { max_session_length_minutes: 0 },
    loc: ['max_session_length_minutes'],
  },
  {
    wrong: 'too long a time limit',
    more: { max_session_length_minutes: 90.5 },
    loc: ['max_session_length_minutes'],
  },
  {
    wrong: 'a time limit as text',
    more: { max_session_length_minutes: '30' },
    loc: ['max_session_length_minutes'],
  },
  {
    wrong: 'a repeated file',
    more: { knowledge_files: ['a', 'a'] },
    loc: ['knowledge_files'],
    says: /duplicate/,
  },
  { wrong: 'a number as file id', more: { knowledge_files: [5] }, loc: ['knowledge_files', 0] },
  {
    wrong: 'an unknown capability',
    more: { capabilities: [{ type: 'x_ray' }] },
    loc: ['capabilities', 0, 'type'],
    says: /'webcam_vision' or 'wakeup_mode'/,
  },
  {
    wrong: 'an unknown capability string',
    more: { capabilities: ['x_ray'] },
    loc: ['capabilities', 0],
  },
  {
    wrong: 'a wakeup mode without triggers',
    more: { capabilities: [{ type: 'wakeup_mode' }] },
    loc: ['capabilities', 0, 'triggers'],
    says: /Field required/,
  },
  {
    wrong: 'a repeated capability',
    more: { capabilities: ['webcam_vision', { type: 'webcam_vision' }] },
    loc: ['capabilities', 1],
    says: /once/,
  },
  {
    wrong: 'an unknown model type',
    more: { llm: { type: 'abacus' } },
    loc: ['llm', 'type'],
    says: /'openai' or 'openai_compatible'/,
  },
  {
    wrong: 'an external model without its API',
    more: { llm: { ...llm, api_id: undefined } },
    loc: ['llm', 'api_id'],
    says: /Field required/,
  },
  { wrong: 'a model as text', more: { llm: 'openai' }, loc: ['llm'], says: /object/ },
  {
    wrong: 'a temperature above 2',
    more: { llm: { ...llm, temperature: 2.1 } },
    loc: ['llm', 'temperature'],
  },
  {
    wrong: 'a temperature above 2 as text',
    more: { llm: { ...llm, temperature: '2.1' } },
    loc: ['llm', 'temperature'],
  },
  {
    wrong: 'a temperature in words',
    more: { llm: { ...llm, temperature: 'warm' } },
    loc: ['llm', 'temperature'],
  },
];

describe('an invalid agent request', () => {
  test.each(bad)('has $wrong', async ({ more, loc, says }) => {
    const payload = { name: 'Jarvis', avatar_id: NORA, ...more };

    const created = await service.call('POST', '/v1/agents', { payload });

    expect(created.statusCode).toBe(422);
    const problem = { type: expect.any(String), msg: expect.any(String), loc: ['body', ...loc] };
    expect(created.json().detail).toEqual([expect.objectContaining(problem)]);
    if (says) expect(created.json().detail[0].msg).toMatch(says);
  });

  test.each(bad.filter(({ more }) => !Object.values(more).includes(undefined)))(
    'is refused on update too: $wrong',
    async ({ more, loc }) => {
      const id = await newAgent(service);

      const changed = await service.call('PATCH', `/v1/agents/${id}`, { payload: more });

      expect(changed.statusCode).toBe(422);
      expect(changed.json().detail[0].loc).toEqual(['body', ...loc]);
    },
  );
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { troupe } from '../run-troupe.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0 });
});
afterEach(() => service.close());

const env = () => ({ TROUPE_URL: service.url, TROUPE_API_KEY: API_KEY });
const run = (args: string[], isTTY = false) => troupe(['agent', ...args], { env: env(), isTTY });
const create = async (): Promise<{ id: string; chat_url: string }> =>
  JSON.parse((await run(['create', '--name', 'Mira', '--json'])).stdout);

const limitsOf = async (id: string) =>
  (await service.call('GET', `/v1/agents/${id}`)).json().limits;

describe('troupe agent create', () => {
  test('prints the link of its room', async () => {
    const { code, stdout } = await run(['create', '--name', 'Mira', '--greeting', 'Hello!']);

    const id = /^id +(\S+)$/m.exec(stdout)?.[1];
    expect(code).toBe(0);
    expect(stdout).toContain(`${service.url}/${id}`);
    const agent = (await service.call('GET', `/v1/agents/${id}`)).json();
    expect(agent).toMatchObject({ name: 'Mira', greeting: 'Hello!' });
  });

  test('is listed', async () => {
    const { id } = await create();

    expect((await run(['list'])).stdout).toMatch(new RegExp(`^${id} +Mira +en `, 'm'));
  });
});

describe('troupe agent limits', () => {
  const usual = { model_tokens: 500_000, speech_characters: 100_000, seconds: 5_400 };

  test('shows them', async () => {
    const { id } = await create();

    const { code, stdout } = await run(['limits', id]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^BUDGET +MODEL TOKENS +SPEECH CHARACTERS +SECONDS$/m);
    expect(stdout).toMatch(/^call +500000 +100000 +5400$/m);
    expect(stdout).toMatch(/^texts in ten minutes +60$/m);
  });

  test('sets some, and keeps the others', async () => {
    const { id } = await create();
    await run(['limits', id, '--call', 'seconds=600', '--link-day', 'model_tokens=9']);

    const amounts = ['--call', 'model_tokens=1000', '--call', 'seconds=default', '--texts', '5'];
    const { stdout } = await run(['limits', id, ...amounts, '--json']);

    const limits = await limitsOf(id);
    expect(JSON.parse(stdout)).toEqual(limits);
    expect(limits).toMatchObject({
      call: { ...usual, model_tokens: 1_000 },
      link_day: { model_tokens: 9 },
      texts_per_ten_minutes: 5,
    });
  });

  test.each(['tokens=5', 'seconds=some', 'seconds=0', 'seconds'])('refuses %s', async (amount) => {
    const { id } = await create();

    const { code, stderr } = await run(['limits', id, '--call', amount]);

    expect(code).toBe(2);
    expect(stderr).toContain("Option '--call <unit=amount>' argument");
    expect((await limitsOf(id)).call).toEqual(usual);
  });
});

describe('troupe agent talk', () => {
  test('opens the room on a terminal', async () => {
    const agent = await create();

    const { stdout, opened } = await run(['talk', agent.id], true);

    expect(stdout).toBe(`${agent.chat_url}\n`);
    expect(opened).toEqual([agent.chat_url]);
  });

  test.each([
    { args: [], isTTY: false },
    { args: ['--no-open'], isTTY: true },
    { args: ['--json'], isTTY: true },
  ])('only prints the link with $args (terminal: $isTTY)', async ({ args, isTTY }) => {
    const agent = await create();

    const { stdout, opened } = await run(['talk', agent.id, ...args], isTTY);

    expect(stdout).toContain(agent.chat_url);
    expect(opened).toEqual([]);
  });

  test('exits with 5 for an unknown agent', async () => {
    expect((await run(['talk', 'none'])).code).toBe(5);
  });
});

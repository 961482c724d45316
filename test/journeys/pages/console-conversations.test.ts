/* The conversations of an account in the console, in a real browser. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { keepMessages } from '../../support/dialogue/kept-messages.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { click, ConsoleStage, heading } from '../../support/pages/console-stage.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR, SECOND_AVATAR } from '../../support/cast.ts';

const PHONE = { width: 390, height: 844 };

let stage: ConsoleStage;
beforeAll(async () => {
  stage = await ConsoleStage.open();
  const { service, agentId } = stage.scene;
  const agents: { id: string }[] = (await service.call('GET', '/v1/agents')).json().data;
  const otherAgentId = agents.find(({ id }) => id !== agentId)!.id;
  const worker = service.workers[0]!;
  const talk = async (agent_id: string, user_name: string, question: string, payload: object) => {
    const reply = await service.call('POST', '/v1/calls', { payload: { agent_id, user_name } });
    const { id, session_id, mediaserver_token } = reply.json();
    const latency = { transcriptMs: 100, firstTokenMs: 200, firstAudioMs: 400, firstFrameMs: 640 };
    await keepMessages(service, id, [
      { sender: 'ai', message: `Welcome, ${user_name}.`, latency: null },
      { sender: 'user', message: question, latency: null },
      { sender: 'ai', message: 'Let me see.', latency },
    ]);
    await until(() => worker.performing.has(session_id));
    await worker.started(worker.performing.get(session_id)!.placement);
    const url = `/v1/chat/${agent_id}/calls/${id}/rating`;
    const headers = { authorization: `Bearer ${mediaserver_token}` };
    const rated = await service.app.server.inject({ method: 'PUT', url, headers, payload });
    expect(rated.statusCode, rated.body).toBe(204);
    await service.call('POST', `/v1/calls/${id}/end`);
  };
  await talk(agentId, 'Ada', 'When do you open?', { rating: 'bad', comment: 'It froze twice.' });
  await talk(otherAgentId, 'Ben', 'What is a prime number?', { rating: 'good' });
});
afterEach(async () => {
  expect(await stage.rest()).toEqual([]);
});
afterAll(() => stage?.close());

const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });

async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), click(page, button)]);
  return readFile(await download.path(), 'utf8');
}

describe('the conversations', () => {
  test('are listed with their first line, and found by what was said', async () => {
    const page = await stage.visit('/conversations');
    await row(page, 'Ada').getByText('When do you open?').waitFor();
    await row(page, 'Ben').getByText('What is a prime number?').waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.getByLabel('Search').fill('let me SEE');
    await page.getByText('2 conversations match').waitFor();
    await page.getByLabel('Search').fill('prime');
    await page.getByText('One conversation matches').waitFor();
    await row(page, 'Ada').waitFor({ state: 'detached' });
    expect(await row(page, 'Ben').count()).toBe(1);
  });

  test('of one agent are a link away from its page, and filtered by rating', async () => {
    const page = await stage.visit(`/agents/${stage.scene.agentId}`);
    await page.getByRole('link', { name: 'Past conversations' }).click();
    await row(page, 'Ada').waitFor();
    expect(await row(page, 'Ben').count()).toBe(0);

    await page.getByLabel('Agent').selectOption({ label: `${SECOND_AVATAR.name}, tutor` });
    await row(page, 'Ben').waitFor();
    expect(await row(page, 'Ada').count()).toBe(0);
    await page.getByLabel('Rating').selectOption('Bad');
    await page.getByText('No matching conversations').waitFor();
    await page.getByLabel('Agent').selectOption('Any agent');
    await row(page, 'Ada').getByText('Bad').waitFor();
    expect(await row(page, 'Ben').count()).toBe(0);
  });

  test('show every line with its time and its latency, and become files', async () => {
    const page = await stage.visit('/conversations');
    await page.getByRole('link', { name: 'Ada' }).click();
    await heading(page, 'Ada').waitFor();
    const transcript = page.getByRole('list', { name: 'Transcript' });
    await transcript.getByText('answered after 640 ms').waitFor();
    await page.getByText('It froze twice.').waitFor();
    expect(await transcript.getByRole('listitem').count()).toBe(3);
    await page.setViewportSize(PHONE);
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);

    const agentName = `${FIRST_AVATAR.name} at the front desk`;
    const text = await saved(page, 'Save as text');
    expect(text.split('\n')[0]).toBe(`${agentName}, Ada`);
    expect(text).toMatch(/\] Ada: When do you open\?\n/);
    expect(JSON.parse(await saved(page, 'Save as JSON'))).toMatchObject({
      user_name: 'Ada',
      messages: [{ sender: 'ai' }, { message: 'When do you open?' }, { latency: {} }],
    });
  });
});

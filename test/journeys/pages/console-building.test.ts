/* Agents, avatars, keys and connections, made in the console by a real browser. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Scene } from '../../show/console-scene.ts';
import { PhotoAvatars } from '../../support/api/photo-avatars.ts';
import { click, ConsoleStage, heading } from '../../support/pages/console-stage.ts';
import { logoBytes } from '../../support/picture/logo.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR, FOURTH_AVATAR } from '../../support/cast.ts';

let stage: ConsoleStage;
let scene: Scene;
beforeAll(async () => {
  stage = await ConsoleStage.open();
  ({ scene } = stage);
});
afterEach(async () => {
  expect(await stage.rest()).toEqual([]);
});
afterAll(() => stage?.close());

const open = (path: string) => stage.visit(path);

const textFile = (name: string, times: number) => {
  const buffer = Buffer.from('Tickets cost twelve euros. '.repeat(times));
  return { name, mimeType: 'text/plain', buffer };
};

describe('the console', () => {
  test('makes a key, shows it once and revokes it', async () => {
    const page = await open('/keys');
    await click(page, 'New key');
    await page.getByLabel('Name').fill('support bot');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your new key' });
    const key = await dialog.getByRole('region').innerText();
    await dialog.getByRole('button', { name: 'Done' }).click();

    const verify = () =>
      fetch(`${scene.service.url}/v1/auth/verify`, { headers: { 'x-api-key': key.trim() } });
    expect((await verify()).status).toBe(204);
    await page.reload();
    await page.getByRole('rowheader', { name: /support bot/ }).waitFor();
    expect(await page.content()).not.toContain(key.trim());
    await click(page, 'Revoke support bot');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The key is revoked.').waitFor();
    expect((await verify()).status).toBe(401);
  });

  test('changes an agent', async () => {
    const page = await open(`/agents/${scene.agentId}`);
    await page.getByLabel('Greeting').fill('Good morning.');
    await click(page, 'Save changes');
    await page.getByText('The agent is saved.').waitFor();

    const answer = await scene.service.call('GET', `/v1/agents/${scene.agentId}`);
    expect(answer.json()).toMatchObject({
      greeting: 'Good morning.',
      name: `${FIRST_AVATAR.name} at the front desk`,
    });
  });

  test('gives an agent a look, which it previews and keeps', async () => {
    const page = await open(`/agents/${scene.agentId}`);
    const colour = page.getByLabel('Button colour');
    const preview = page.getByRole('figure', { name: 'Preview' });
    await colour.fill('navy');
    await click(page, 'Save appearance');
    await page.getByRole('alert').getByText('Correct the marked fields.').waitFor();
    expect(await colour.getAttribute('aria-invalid')).toBe('true');
    await colour.fill('#000080');
    await page.getByLabel('Welcome').fill('Welcome to the museum.');
    const logo = page.getByLabel('Logo', { exact: true });
    const svg = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') };
    await logo.setInputFiles(svg);
    await page.getByRole('alert').getByText('The logo must be a PNG').waitFor();
    await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logoBytes() });
    await preview.getByAltText('Logo').first().waitFor();
    expect(await preview.getByText('Welcome to the museum.').count()).toBe(2);
    const start = preview.getByText('Start call').first();
    const colourOfStart = () =>
      start.evaluate((button) => getComputedStyle(button).backgroundColor);
    // It changes gradually.
    await expect.poll(colourOfStart).toBe('rgb(0, 0, 128)');
    await click(page, 'Save appearance');
    await page.getByText('The agent is saved.').waitFor();

    const { appearance } = (await scene.service.call('GET', `/v1/agents/${scene.agentId}`)).json<{
      appearance: object;
    }>();
    expect(appearance).toEqual({
      accent_color: '#000080',
      logo: expect.stringContaining(`/agents/${scene.agentId}/logo`),
      welcome_text: 'Welcome to the museum.',
    });
  });

  test('lets a page elsewhere show an agent, and says what is wrong with an origin', async () => {
    const page = await open(`/agents/${scene.agentId}`);
    await page.getByLabel('Greeting').fill('Not saved yet.');
    const origins = page.getByLabel('Pages that may embed it');
    await origins.fill('shop.example.com/help');
    await click(page, 'Save origins');
    await page.getByRole('alert').getByText('Correct the marked fields.').waitFor();
    const fault = page.locator('.field', { has: origins }).locator('.field-fault');
    const words = await fault.innerText();
    expect(words).not.toMatch(/`detail`|`loc`/);
    expect(await origins.getAttribute('aria-invalid')).toBe('true');
    expect(await origins.getAttribute('aria-describedby')).toContain(
      await fault.getAttribute('id'),
    );
    await origins.fill('https://Shop.example.com\n\n');
    await click(page, 'Save origins');
    await page.getByText('The agent is saved.').waitFor();

    const answer = await scene.service.call('GET', `/v1/agents/${scene.agentId}`);
    expect(answer.json()).toMatchObject({ allowed_origins: ['https://shop.example.com'] });
    expect(answer.json()).not.toMatchObject({ greeting: 'Not saved yet.' });
    expect(await fault.count()).toBe(0);
    expect(await page.getByLabel('Greeting').inputValue()).toBe('Not saved yet.');
  });

  test('uploads knowledge files, each once, and deletes one', async () => {
    const page = await open('/knowledge');
    // The first one leaves the list while the second is on its way.
    await page
      .getByLabel('Choose files')
      .setInputFiles([textFile('hours.txt', 1), textFile('tickets.txt', 60_000)]);
    await page.getByRole('rowheader', { name: 'tickets.txt' }).waitFor();
    await page.getByRole('list', { name: 'Uploads' }).waitFor({ state: 'detached' });
    const { data } = (await scene.service.call('GET', '/v1/knowledge-files')).json();
    const names = data.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => /^(hours|tickets)/.test(name)).sort()).toEqual([
      'hours.txt',
      'tickets.txt',
    ]);
    await click(page, 'Delete tickets.txt');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByText('The file is deleted.').waitFor();
  });

  test('makes an agent, and deletes it', async () => {
    const page = await open('/agents');
    await click(page, 'New agent');
    await page.getByLabel('Name').fill(`${FOURTH_AVATAR.name}, guide`);
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await heading(page, `${FOURTH_AVATAR.name}, guide`).waitFor();
    await page.getByRole('button', { name: 'Open a test call' }).waitFor();
    await click(page, `Delete ${FOURTH_AVATAR.name}, guide`);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByText('The agent is deleted.').waitFor();
    await heading(page, 'Agents').waitFor();
  });

  test('makes an external API, and says what is wrong with one that does not answer', async () => {
    const page = await open('/apis');
    await click(page, 'New external API');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Another model');
    await dialog.getByLabel('Base address').fill('http://127.0.0.1:9/v1');
    await dialog.getByLabel('Key').fill('its-key');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('rowheader', { name: 'Another model' }).waitFor();
    await click(page, 'Check Another model');
    await page
      .getByRole('row', { name: /^Another model/ })
      .getByRole('status')
      .getByText(/\S/)
      .waitFor();
    expect(await page.content()).not.toContain('its-key');
    await click(page, 'Delete Another model');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByText('The external API is deleted.').waitFor();
  });

  test('makes a webhook, sends a test event, shows its body and sends it again', async () => {
    const bodies: string[] = [];
    const receiver = createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.end());
    });
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/troupe`;
    const page = await open('/webhooks');
    await click(page, 'New webhook');
    await page.getByLabel('Address').fill(address);
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const secret = page.getByRole('dialog', { name: 'Signing secret' });
    expect(await secret.getByRole('region').innerText()).toMatch(/^whsec_/);
    await secret.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: address }).click();
    const hears = (count: number) =>
      until(() => {
        scene.service.clock.advance(100);
        return bodies.length === count;
      });
    // Sent when the webhook was made.
    await hears(1);

    await click(page, 'Send a test event');
    await hears(2);
    const delivered = page.getByRole('row', { name: /Delivered/ });
    await delivered.nth(1).waitFor();
    const row = delivered.first();
    await row.getByRole('button', { name: 'Body' }).click();
    const body = await page.getByRole('dialog').getByRole('region', { name: 'Body' }).innerText();
    await page.keyboard.press('Escape');
    await row.getByRole('button', { name: 'Send again' }).click();
    await hears(3);

    const [created, event, repetition] = bodies.map((text): unknown => JSON.parse(text));
    expect(event).not.toEqual(created);
    expect(JSON.parse(body)).toEqual(event);
    expect(repetition).toEqual(event);
    receiver.close();
  });

  test('makes an avatar from a photo, shows its progress, and deletes it', async () => {
    const { service } = scene;
    const worker = await service.join({ abilities: ['bundles', 'builds'], slots: 1 });
    const avatars = await PhotoAvatars.open(service, worker);
    const page = await open('/avatars');
    await page.getByRole('button', { name: 'New avatar' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Photo').setInputFiles({
      name: 'ada.jpg',
      mimeType: 'image/jpeg',
      buffer: await readFile('test/fixtures/photo/astronaut.jpg'),
    });
    await dialog.getByAltText('The chosen photo').waitFor();
    await dialog.getByLabel('Name').fill('Ada');
    const build = dialog.getByRole('button', { name: 'Build the avatar' });
    expect(await build.isDisabled()).toBe(true);
    await dialog.getByLabel('The person in the picture agrees to this avatar.').check();
    await build.click();
    await page.getByLabel('Progress of Ada').waitFor();
    await avatars.finish();
    await page.getByRole('button', { name: 'Mouth shapes and expressions of Ada' }).waitFor();
    await click(page, 'Delete Ada');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();

    await page.getByText('The avatar is deleted.').waitFor();
    await worker.close();
  });
});

/* A person in the chat room of an agent with default settings: its own voice, its own answers. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../../support/pages/barriers.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { measureSound, mouthPictures } from '../../support/pages/page-media.ts';
import { button, isLive } from '../../support/pages/room-page.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([shareService(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** Messages of the only call. */
async function messages(): Promise<string[]> {
  const listed = await (await service.api('/v1/calls')).json();
  const [call] = (listed as { data: { id: string }[] }).data;
  const messages = await (await service.api(`/v1/calls/${call?.id}/messages`)).json();
  return (messages as { message: string }[]).map(({ message }) => message);
}

describe('the room page of an agent with default settings', () => {
  test('shows and plays a greeting and an answer from a file', async () => {
    const { id: file } = await service.make('/v1/knowledge-files', {
      name: 'hours',
      format: 'text',
      content: 'The shop opens at nine. The word of the day is marmalade.',
    });
    const { id: agent } = await service.make('/v1/agents', {
      name: FIRST_AVATAR.name,
      avatar_id: FIRST_AVATAR.alias,
      greeting: 'Hello, welcome to the shop.',
      knowledge_files: [file],
    });
    const page = await browser.newPage();
    await page.goto(new URL(agent, service.address).href);
    await page.getByText(`${FIRST_AVATAR.name} cannot hear you`).waitFor();
    expect(await page.getByRole('switch').count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await button(page, 'Join').click();
    await isLive(page);
    await page.getByText('Hello, welcome to the shop.').first().waitFor();
    // Asking sooner interrupts it.
    await expect.poll(messages).toHaveLength(1);

    await page.getByLabel(`Message ${FIRST_AVATAR.name}`).fill('What is the word of the day?');
    await page.keyboard.press('Enter');
    await page.locator('.said li').nth(2).waitFor();
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);
    await page.locator('.said').getByText('marmalade').waitFor();
    // If a person leaves sooner, only what they heard is stored.
    await expect.poll(async () => (await messages()).at(-1)).toContain('marm');
    await button(page, 'Leave').click();
    await page.getByText('You left the call').waitFor();

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    const texts = await page.locator('.said li > span').allTextContents();
    expect(texts).toEqual(await messages());
    expect(texts).toEqual([
      'Hello, welcome to the shop.',
      'What is the word of the day?',
      expect.stringContaining('marmalade.'),
    ]);
    await page.close();
  });

  test('says that a message over the limit of a minute was not delivered', async () => {
    const { id: agent } = await service.make('/v1/agents', {
      name: FIRST_AVATAR.name,
      avatar_id: FIRST_AVATAR.alias,
    });
    const page = await browser.newPage();
    await page.goto(new URL(agent, service.address).href);
    await button(page, 'Join').click();
    await isLive(page);

    const send = async (text: string) => {
      await page.getByLabel(`Message ${FIRST_AVATAR.name}`).fill(text);
      await page.keyboard.press('Enter');
    };
    for (let count = 1; count <= 20; count += 1) {
      await send(`Message ${count}`);
      // Sent faster, some would be ignored, which the next one makes the page forget.
      await expect.poll(messages, { interval: 20 }).toContain(`Message ${count}`);
    }
    await send('Message 21');

    await page.getByRole('alert').getByText('was not delivered').waitFor();
    await page.close();
  });
});

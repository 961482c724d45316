import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { babble } from '../bench/rooms/speech.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { measureSound, mouthPictures } from '../support/pages/page-media.ts';
import { isReady, leave, picturesDrawn, TryPage } from '../support/pages/try-page.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { waveOf } from '../support/sound/wave.ts';

let service: RunningService;
let browser: Browser;
let tryPage: TryPage;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ env: NO_AGENTS }), openBrowser()]);
  tryPage = await TryPage.open(service, browser);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const FPS = 25;

/** Opens the second tab with the keyboard. */
async function toBotroom(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'LiveKit room' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await page.getByRole('tab', { name: 'LiveKit room', selected: true }).count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('tabpanel', { name: 'Botroom' }).waitFor();
  await page.locator('canvas[data-shown="true"]').waitFor();
  await isReady(page);
}

describe('try page with a botroom', () => {
  test('shows and plays a typed sentence on a canvas, stops it, and ends the session', async () => {
    const problems: string[] = [];
    const page = await tryPage.pick('Nora', problems);
    await toBotroom(page);

    const [opened, former] = await tryPage.sessions();
    expect(opened).toMatchObject({ transport: 'botroom', status: { type: 'ongoing' } });
    expect(former).toMatchObject({ transport: 'mediaserver', status: { type: 'completed' } });

    await page
      .getByLabel('What should Nora say?')
      .fill('My mouth opens and closes while you listen to me. Nobody else has said this before.');
    await page.getByRole('button', { name: 'Speak' }).click();
    await page.getByRole('status').getByText('Speaking').waitFor();
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    expect(await page.locator('.caption').textContent()).toMatch(/mouth opens|Nobody else/);

    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^stopped at \d/).waitFor();
    const [still, silence] = await Promise.all([mouthPictures(page), measureSound(page)]);

    expect(still.different).toBeLessThan(mouths.different / 3);
    expect(silence.last).toBeLessThan(0.005);

    await page.getByRole('button', { name: 'Peter Piper' }).click();
    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();

    await page.getByRole('button', { name: 'New session' }).click();
    await expect
      .poll(async () => (await tryPage.sessions())[0], { timeout: 5000 })
      .toMatchObject({
        id: opened?.id,
        status: { type: 'completed' },
        end_reason: 'ended_by_client',
      });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('speaks a sound file, also after typed text, in the same session', async () => {
    const problems: string[] = [];
    const page = await tryPage.pick('Theo', problems);
    await toBotroom(page);
    const [opened] = await tryPage.sessions();
    await page.getByRole('button', { name: 'Peter Piper' }).click();
    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();

    await page.getByText('Audio file', { exact: true }).click();
    const buffer = waveOf(babble(24_000, 4000), 24_000);
    await page
      .getByLabel('Audio file', { exact: true })
      .and(page.locator('[type=file]'))
      .setInputFiles({ name: 'speech.wav', mimeType: 'audio/wav', buffer });
    await page.getByText('4 s. Choose another').waitFor();
    await page.getByRole('button', { name: 'Speak', exact: true }).last().click();
    await page.getByRole('status').getByText('Speaking').waitFor();
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    expect((await tryPage.sessions())[0]?.id).toBe(opened?.id);
    expect(problems).toEqual([]);
    await leave(page);
  });

  test('continues with an avatar whose worker is killed', async () => {
    const page = await tryPage.pick('Nora');
    await toBotroom(page);
    const [opened] = await tryPage.sessions();

    await service.killProgram('worker');
    // The former worker's last pictures are fewer: idle ones mostly do not change.
    const before = await picturesDrawn(page);
    await expect.poll(() => picturesDrawn(page), { timeout: 30_000 }).toBeGreaterThan(before + FPS);
    await page.getByRole('status').getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Peter Piper' }).click();

    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();
    expect((await tryPage.sessions())[0]).toMatchObject({
      id: opened?.id,
      status: { type: 'ongoing' },
    });
    await leave(page);
  });
});

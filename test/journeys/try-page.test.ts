import type { Browser } from 'playwright-core';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { babble } from '../bench/rooms/speech.ts';
import { pageLink } from '../../src/shared/page-link.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { measureSound, mouthPictures } from '../support/pages/page-media.ts';
import { leave, TryPage } from '../support/pages/try-page.ts';
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

describe('try page', () => {
  test('opens again in the browser that its link opened, and in no other', async () => {
    const link = pageLink(service.address, service.pageCode);
    const known = await browser.newPage({ storageState: tryPage.letIn });
    await known.goto(service.address);
    await known.reload();
    await known.getByRole('button', { name: 'Nora' }).waitFor();
    const other = await browser.newPage();
    for (const [address, says] of [
      [service.address, 'This browser needs the link that npm start printed.'],
      [link, 'This link was used already'],
      [`${service.address}/#code=wrong`, 'This link was used already'],
    ] as const) {
      // A new code alone changes only the fragment, which loads nothing.
      await other.goto(address);
      await other.getByRole('alert').getByText(says).waitFor();
    }
    await known.close();
    await other.close();
  });

  test('shows and plays a typed sentence by the chosen avatar, stops it, and ends the session', async () => {
    const problems: string[] = [];
    const page = await tryPage.pick('Nora', problems);

    const [opened] = await tryPage.sessions();
    expect(opened?.status.type).toBe('ongoing');

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

  test('speaks a sound file, also after typed text, and plays only the avatar', async () => {
    const problems: string[] = [];
    const page = await tryPage.pick('Nora', problems);
    await page.getByRole('button', { name: 'Peter Piper' }).click();
    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();

    await page.getByText('Audio file', { exact: true }).click();
    const file = page.getByLabel('Audio file', { exact: true }).and(page.locator('[type=file]'));
    await file.setInputFiles({
      name: 'notes.txt',
      mimeType: 'audio/wav',
      buffer: Buffer.from('not a sound'),
    });
    await page.getByRole('alert').getByText('cannot read audio').waitFor();
    const buffer = waveOf(babble(24_000, 4000), 24_000);
    await file.setInputFiles({ name: 'speech.wav', mimeType: 'audio/wav', buffer });
    await page.getByText('4 s. Choose another').waitFor();
    await page.getByRole('button', { name: 'Speak', exact: true }).last().click();
    await page.getByRole('status').getByText('Speaking').waitFor();
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    expect(await page.locator('audio').count()).toBe(1);
    expect((await tryPage.sessions()).slice(0, 2).map(({ status }) => status.type)).toEqual([
      'ongoing',
      'completed',
    ]);
    await page.getByRole('status').getByText('Ready').waitFor();
    expect((await measureSound(page, 1000)).last).toBeLessThan(0.005);
    expect(problems).toEqual([]);
    await leave(page);
  });

  test('speaks the microphone until it is stopped, and reports a missing one', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-microphone-'));
    const said = path.join(folder, 'said.wav');
    await writeFile(said, waveOf(babble(48_000, 10_000), 48_000));
    const withMicrophone = await openBrowser({
      args: [
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${said}`,
      ],
    });
    const page = await tryPage.pick('Theo', [], withMicrophone);

    await page.getByText('Microphone', { exact: true }).click();
    await page.getByRole('button', { name: 'Start microphone' }).click();
    await page
      .getByRole('status')
      .getByText('The microphone is on, and Theo is listening')
      .waitFor();
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);
    await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
    await page.getByRole('button', { name: 'Start microphone' }).waitFor();
    const silence = await measureSound(page, 1500);

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    expect(silence.last).toBeLessThan(0.005);
    await leave(page);
    await withMicrophone.close();
    await rm(folder, { recursive: true });

    const without = await tryPage.pick('Nora');
    await without.getByText('Microphone', { exact: true }).click();
    await without.getByRole('button', { name: 'Start microphone' }).click();
    await without
      .getByRole('alert')
      .getByText(/No microphone|is blocked/)
      .waitFor();
    await leave(without);
  });

  test('ends its session when the page is closed', async () => {
    const page = await tryPage.pick('Theo');
    const [opened] = await tryPage.sessions();

    await page.goto('about:blank');

    await expect
      .poll(async () => (await tryPage.sessions())[0], { timeout: 5000 })
      .toMatchObject({ id: opened?.id, status: { type: 'completed' } });
    await page.close();
  });

  test('continues with an avatar whose worker is killed', async () => {
    const page = await tryPage.pick('Nora');

    await page.evaluate(countFrames);

    await service.killProgram('worker');
    // More than a second of frames cannot be in flight, so these come from the new worker. It may appear before the page reports the loss,
    // and the browser may show both workers by the same track.
    const before = await page.evaluate(framesShown);
    await expect
      .poll(() => page.evaluate(framesShown), { timeout: 30_000 })
      .toBeGreaterThan(before + FPS);
    await page.getByRole('status').getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Peter Piper' }).click();

    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();
    expect((await tryPage.sessions())[0]?.status.type).toBe('ongoing');
    await page.close();
  });

  test('documents how to point a plugin at this service', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.address}/docs`);

    expect(await page.getByLabel('Python lines', { exact: true }).textContent()).toContain(
      `api_url="${new URL(service.address).origin}"`,
    );
    await page.close();
  });

  test('documents the API on a page that the content security policy allows', async () => {
    const problems: string[] = [];
    const page = await browser.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    await page.goto(`${service.address}/docs/api`);
    await page.getByText('Verify API key').first().click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.getByText('API key is required.').first().waitFor();

    expect(problems.filter((text) => !text.includes('401'))).toEqual([]);
    await page.close();
  });
});

/** Beside the video, so that it outlives whatever the video shows. */
function countFrames(): void {
  const video = document.querySelector('video')!;
  const { dataset } = document.body;
  dataset['framesShown'] = '0';
  video.requestVideoFrameCallback(function shown() {
    dataset['framesShown'] = String(Number(dataset['framesShown']) + 1);
    video.requestVideoFrameCallback(shown);
  });
}

function framesShown(): number {
  return Number(document.body.dataset['framesShown']);
}

import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { babble } from '../../bench/rooms/speech.ts';
import { measureSound, mouthPictures } from '../../support/pages/page-media.ts';
import { isReady, leave, picturesShown, type TryPage } from '../../support/pages/try-page.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { waveOf } from '../../support/sound/wave.ts';
import { until } from '../../support/until.ts';
import { FIRST_AVATAR, SECOND_AVATAR } from '../../support/cast.ts';

export type OpenedTryPage = {
  service: RunningService;
  browser: Browser;
  /** Its microphone plays speech; `browser` has none. */
  withMicrophone: Browser;
  tryPage: TryPage;
};

type Behaviour = {
  transport: string;
  /** Goes from a page whose avatar joins a LiveKit room to one with the transport. */
  enter: (page: Page) => Promise<void>;
  /** The avatar takes tracks after typed text without another session. */
  keepsSession: boolean;
};

const FPS = 25;
/** Twelve seconds of speech: a busy browser takes some to measure, and it is cut. */
const LONG_TEXT = `My mouth opens and closes while you listen to me. Nobody else has said this before.
  I go on for a while, so that there is time to stop me. Once I have stopped, my mouth rests, and you hear nothing more.`;

/** The try page, the same with each transport. `opened` is filled before the tests. */
export function tryPageContract(
  opened: OpenedTryPage,
  { transport, enter, keepsSession }: Behaviour,
): void {
  const pick = async (...args: Parameters<TryPage['pick']>): Promise<Page> => {
    const page = await opened.tryPage.pick(...args);
    await enter(page);
    await isReady(page);
    return page;
  };
  // With a botroom the page has also opened the session that it left, perhaps at the same time.
  const newestSessions = async () =>
    (await opened.tryPage.sessions()).filter((session) => session.transport === transport);
  const newestSession = async () => (await newestSessions())[0];

  test('shows and plays a typed sentence by the chosen avatar, stops it, and ends the session', async () => {
    const problems: string[] = [];
    const page = await pick(FIRST_AVATAR.name, problems);

    const session = await newestSession();
    expect(session).toMatchObject({ status: { type: 'ongoing' } });

    await page.getByLabel(`What should ${FIRST_AVATAR.name} say?`).fill(LONG_TEXT);
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
    expect(silence.lastLevel).toBeLessThan(0.005);

    await page.getByRole('button', { name: 'Peter Piper' }).click();
    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();

    await page.getByRole('button', { name: 'New session' }).click();
    await expect.poll(newestSession).toMatchObject({
      id: session?.id,
      status: { type: 'completed' },
      end_reason: 'ended_by_client',
    });
    expect(problems).toEqual([]);
    await page.close();
  });

  test('speaks a sound file, also after typed text, and plays only the avatar', async () => {
    const problems: string[] = [];
    const page = await pick(FIRST_AVATAR.name, problems);
    const session = await newestSession();
    await page.getByRole('button', { name: 'Peter Piper' }).click();
    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();

    await page.getByText('Audio file', { exact: true }).click();
    expect(await page.getByText('this starts a new session').count()).toBe(keepsSession ? 0 : 1);
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
    const [current, former] = await newestSessions();
    expect(current?.status.type).toBe('ongoing');
    expect(former?.status.type).toBe('completed');
    expect(current?.id === session?.id).toBe(keepsSession);
    await page.getByRole('status').getByText('Ready').waitFor();
    expect((await measureSound(page, 1000)).lastLevel).toBeLessThan(0.005);
    expect(problems).toEqual([]);
    await leave(page);
  });

  test('speaks the microphone until it is stopped', async () => {
    const problems: string[] = [];
    const page = await pick(SECOND_AVATAR.name, problems, opened.withMicrophone);

    await page.getByText('Microphone', { exact: true }).click();
    await page.getByRole('button', { name: 'Start microphone' }).click();
    await page
      .getByRole('status')
      .getByText(`The microphone is on, and ${SECOND_AVATAR.name} is listening`)
      .waitFor();
    // The first words take a while on a busy machine.
    await until(async () => (await mouthPictures(page, 500)).different > 0);
    const [mouths, sound] = await Promise.all([mouthPictures(page), measureSound(page)]);
    await page.getByRole('button', { name: 'Stop', exact: true }).last().click();
    await page.getByRole('button', { name: 'Start microphone' }).waitFor();
    const silence = await measureSound(page, 1500);

    expect(mouths.different).toBeGreaterThan(5);
    expect(sound.loudest).toBeGreaterThan(0.02);
    expect(silence.lastLevel).toBeLessThan(0.005);
    expect(problems).toEqual([]);
    await leave(page);
  });

  test('reports a missing microphone, and ends its session when the page is closed', async () => {
    const page = await pick(SECOND_AVATAR.name);
    const session = await newestSession();
    await page.getByText('Microphone', { exact: true }).click();
    await page.getByRole('button', { name: 'Start microphone' }).click();
    await page.getByRole('alert').getByText('No microphone').waitFor();

    await page.goto('about:blank');

    await expect
      .poll(newestSession)
      .toMatchObject({ id: session?.id, status: { type: 'completed' } });
    await page.close();
  });

  test('continues with an avatar whose worker is killed', async () => {
    const page = await pick(FIRST_AVATAR.name);
    const session = await newestSession();

    await opened.service.killProgram('worker');
    // More than a second of frames cannot be in flight, so these come from the new worker. It may
    // appear before the page reports the loss, and the browser may show both workers by the same
    // track.
    const picturesBefore = await picturesShown(page);
    await expect.poll(() => picturesShown(page)).toBeGreaterThan(picturesBefore + FPS);
    await page.getByRole('status').getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Peter Piper' }).click();

    await page.getByText(/^spoken, [23]\.\d s$/).waitFor();
    expect(await newestSession()).toMatchObject({ id: session?.id, status: { type: 'ongoing' } });
    await leave(page);
  });
}

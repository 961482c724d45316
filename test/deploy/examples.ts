import { inspect } from 'node:util';
import type { Page } from 'playwright-core';
import { FIRST_AVATAR } from '../support/cast.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { measureSound, mouthPictures } from '../support/pages/page-media.ts';
import { startService, type RunningService } from '../support/processes/service.ts';
import { RunningExample } from '../support/examples/running-example.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import {
  GREETERS,
  watchCall,
  watchGreeting,
  type Experience,
} from '../support/examples/viewer-experience.ts';
import { until } from '../support/until.ts';
import { EXAMPLES } from '../../src/start/examples/examples.ts';
import { expectThat } from './expect-that.ts';
import { withTranscript, type Transcript } from './transcript.ts';

/**
 * Every example by its one command, against one service: a viewer sees a face and hears it speak.
 */
export const testExamples = (names = Object.keys(EXAMPLES)) =>
  withTranscript('examples', async (transcript) => {
    const service = await transcript.step('start the service', () => startService());
    transcript.atEnd('stop the service', () => service.stop());
    for (const name of names)
      await transcript.step(name, () => tryExample(name, service, transcript));
  });

async function tryExample(
  name: string,
  service: RunningService,
  transcript: Transcript,
): Promise<void> {
  await service.hasFreeSlot();
  const example = await RunningExample.start(name, service);
  try {
    await example.isInstalled();
    transcript.note(`${name}: ${await (CHECKS[name] ?? greets)(name, example, service)}`);
  } catch (cause) {
    // The reason comes last, too: CI keeps only parts of a long output.
    throw new Error(`${name} printed:\n${example.output}\n${inspect(cause)}`, { cause });
  } finally {
    await example.stop();
    await service.endSessions();
  }
}

type Check = (name: string, example: RunningExample, service: RunningService) => Promise<string>;

const greets: Check = async (name, example) => {
  expectThat(name in GREETERS, `nobody knows what ${name} shows`);
  return experienceText(await watchGreeting(name, example));
};

const CHECKS: Readonly<Record<string, Check>> = {
  'fastapi-webhooks': async (_, example) => {
    const experience = await watchCall(example);
    await example.prints(/^message Hello! /m);
    const forged = await fetch(`http://127.0.0.1:${example.ports.app}/troupe`, {
      method: 'POST',
      body: '{"type": "call.ended"}',
    });
    expectThat(forged.status === 400, `a forged event was answered with ${forged.status}`);
    return experienceText(experience);
  },
  kiosk: (_, example, service) => inBrowser((page) => visit(page, example, service)),
  viewer: (_, example, service) => inBrowser((page) => watchRoom(page, example, service)),
};

async function inBrowser(use: (page: Page) => Promise<string>): Promise<string> {
  const browser = await openBrowser({
    args: [
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      '--autoplay-policy=no-user-gesture-required',
    ],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    return await use(page);
  } finally {
    await browser.close();
  }
}

/** A viewer opens the room of a session by its link. */
async function watchRoom(
  page: Page,
  example: RunningExample,
  service: RunningService,
): Promise<string> {
  const session = { avatar_id: FIRST_AVATAR.id };
  const { room } = await service.make<{ room: { url: string; viewer_token: string } }>(
    '/v1/sessions',
    session,
  );
  const named = new URLSearchParams({ url: room.url, token: room.viewer_token });
  await page.goto(`http://127.0.0.1:${example.ports.viewer}/#${named}`);
  await page.getByRole('button', { name: 'Join' }).click();
  const width = await page.waitForFunction(() => document.querySelector('video')?.videoWidth);
  const fit = await page.evaluate(
    () => getComputedStyle(document.querySelector('video')!).objectFit,
  );
  expectThat(fit === 'cover', `its picture is fitted as ${fit}, beside bars`);
  return `a face of ${await width.jsonValue()} pixels`;
}

/** A visitor touches the screen, is greeted, and says goodbye. */
async function visit(
  page: Page,
  example: RunningExample,
  service: RunningService,
): Promise<string> {
  await page.goto(`http://127.0.0.1:${example.ports.kiosk}/`);
  await page.getByRole('button', { name: 'Touch to talk' }).click();
  await page.waitForFunction(() => document.querySelector('video')?.videoWidth);
  let [different, loudest] = [0, 0];
  // The greeting follows the first picture, late on a busy machine.
  await until(async () => {
    [{ different }, { loudest }] = await Promise.all([mouthPictures(page), measureSound(page)]);
    return different > 5 && loudest > 0.02;
  }, PATIENCE_MS).catch((cause: unknown) => {
    throw new Error(`its mouth moved in ${different} pictures, loudness ${loudest}`, { cause });
  });
  await page.getByRole('button', { name: 'Goodbye' }).click();
  await page.getByRole('button', { name: 'Touch to talk' }).waitFor();
  const isOver = async () => {
    const { data } = (await (await service.api('/v1/calls?limit=1')).json()) as {
      data: { status: { type: string } }[];
    };
    return data[0]?.status.type === 'completed';
  };
  await until(isOver, PATIENCE_MS);
  return `${different} pictures with another mouth, loudness ${loudest.toFixed(2)}`;
}

const experienceText = ({ frames, mouthMoves, loudSeconds }: Experience): string =>
  `${frames} pictures, ${mouthMoves} with another mouth, ${loudSeconds.toFixed(1)} s of speech`;

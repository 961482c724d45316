/* A published Pipecat video service behind Pipecat's SmallWebRTC transport, seen and heard by Chromium. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { babble } from '../bench/rooms/speech.ts';
import { median } from '../bench/machine.ts';
import { documentedLine, isPipecatThere } from '../support/agents/pipecat-pipeline.ts';
import { WebrtcPipeline } from '../support/agents/webrtc-pipeline.ts';
import { openBrowser } from '../support/pages/browser.ts';
import { lipOffsets, pictureRate, watchedFace, watchFace } from '../support/pages/lips.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { joined } from '../support/sound/pcm.ts';
import { RATE, silence, utterance } from '../support/sound/vowels.ts';
import { until } from '../support/until.ts';

const UTTERANCES = 6;
/** The bursts begin anywhere in a frame: their distance is not a multiple of its time. */
const BURSTS = 4;
const BURST_MS = 253;
const PAUSE_MS = 160;
const BABBLE_MS = 2_000;
const FPS = 25;
const LIPS_WITHIN_MS = 40;

/** The mouth opens with each burst, and then moves in every picture. */
function speech(): Int16Array {
  const burst = utterance([['a', BURST_MS]], { level: 0.4 });
  const bursts = Array.from({ length: BURSTS - 1 }, () => [burst, silence(PAUSE_MS)]);
  return joined(...bursts.flat(), burst, babble(RATE, BABBLE_MS));
}

// `.ci/run` makes the Python environment and fails without it.
describe.skipIf(!isPipecatThere)('a Pipecat bot behind SmallWebRTC', () => {
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService({ env: NO_AGENTS }), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('shows 25 pictures a second, with the lips in time with the sound', async ({
    onTestFinished,
  }) => {
    const line = documentedLine('protoface', service.address, service.apiKey);
    const pipeline = await WebrtcPipeline.start(line, speech());
    onTestFinished(() => pipeline.close());
    await service.hasFreeSlot();
    const page = await browser.newPage();
    await page.goto(pipeline.address);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForFunction(() => document.querySelector('video')!.videoWidth > 0);
    await watchFace(page);
    await until(async () => (await watchedFace(page)).pictures.length > 2 * FPS);

    const heard: number[] = [0];
    for (let i = 0; i < UTTERANCES; i++) {
      await pipeline.say();
      heard.push((await watchedFace(page)).onsetsMs.length);
    }

    const face = await watchedFace(page);
    const offsets = lipOffsets(face);
    const rows = heard.slice(1).map((to, i) => {
      const lips = offsets.slice(heard[i], to);
      const babbles = face.onsetsMs[to - 1]! + BURST_MS;
      return { lips, rate: pictureRate(face, babbles, babbles + BABBLE_MS) };
    });
    console.table(
      rows.map(({ lips, rate }) => ({
        'lips after sound ms': lips.map((ms) => ms.toFixed(0)).join(' '),
        'median ms': median(lips).toFixed(0),
        'pictures a second': rate.toFixed(1),
      })),
    );
    for (const { lips, rate } of rows) {
      expect(lips).toHaveLength(BURSTS);
      expect(Math.abs(rate - FPS)).toBeLessThan(1);
    }
    // In the first 20 s, Chromium shortens its buffer of sound: single utterances are up to 60 ms off.
    expect(Math.abs(median(offsets))).toBeLessThan(LIPS_WITHIN_MS);
  });
});

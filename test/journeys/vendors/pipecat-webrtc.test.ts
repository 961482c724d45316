/* A Pipecat video service behind SmallWebRTC, seen and heard by Chromium. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPipecatThere } from '../../support/agents/pipecat-pipeline.ts';
import { startWebrtcConversation } from '../../support/agents/webrtc-conversation.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { mouthOpenings, watchedFace } from '../../support/pages/lips.ts';
import { NO_AGENTS, startService, type RunningService } from '../../support/processes/service.ts';
import { until } from '../../support/until.ts';

const UTTERANCES = 3;

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

  // Bot, encoder and browser need half of two cores: how many pictures they show a second, and
  // when, is measured by the bench `smallwebrtc`.
  test('is heard, and its mouth opens when it speaks and is shut when it does not', async ({
    onTestFinished,
  }) => {
    const { page, pipeline } = await startWebrtcConversation(service, browser);
    onTestFinished(() => pipeline.close());
    const silent = await watchedFace(page);
    expect(silent.onsetsMs).toEqual([]);

    for (let i = 0; i < UTTERANCES; i++) {
      const { pictures, onsetsMs } = await watchedFace(page);
      const since = pictures.at(-1)!.atMs;
      await pipeline.say();

      await until(async () => {
        const face = await watchedFace(page);
        const openings = mouthOpenings(face).filter((at) => at > since);
        return face.onsetsMs.length > onsetsMs.length && openings.length > 1;
      });
      await until(async () => {
        const { pictures } = await watchedFace(page);
        const widest = Math.max(...pictures.map(({ dark }) => dark));
        return pictures.slice(-5).every(({ dark }) => dark < widest / 4);
      });
    }
  });
});

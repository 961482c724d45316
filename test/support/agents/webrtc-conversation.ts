import type { Browser, Page } from 'playwright-core';
import { babble } from '../../bench/rooms/speech.ts';
import { watchedFace, watchFace } from '../pages/lips.ts';
import type { RunningService } from '../processes/service.ts';
import { joined } from '../sound/pcm.ts';
import { RATE, silence, utterance } from '../sound/vowels.ts';
import { until } from '../until.ts';
import { documentedLine } from './pipecat-pipeline.ts';
import { WebrtcPipeline } from './webrtc-pipeline.ts';

/** Bursts in each utterance. Their distance is not a multiple of a frame's time. */
export const BURSTS = 4;
const BURST_MS = 253;
const PAUSE_MS = 160;
export const BURSTS_MS = BURSTS * BURST_MS + (BURSTS - 1) * PAUSE_MS;
/** After the bursts. */
export const BABBLE_MS = 2_000;
const FIRST_PICTURES = 50;

/** Chromium with a Pipecat bot behind SmallWebRTC, whose face is an avatar. Close the pipeline. */
type WebrtcConversation = { page: Page; pipeline: WebrtcPipeline };

/** Resolves when the page has seen two seconds of pictures. */
export async function startWebrtcConversation(
  service: RunningService,
  browser: Browser,
): Promise<WebrtcConversation> {
  const line = documentedLine('protoface', service.address, service.apiKey);
  const pipeline = await WebrtcPipeline.start(line, speech());
  try {
    await service.hasFreeSlot();
    const page = await browser.newPage();
    await page.goto(pipeline.address);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForFunction(() => document.querySelector('video')!.videoWidth > 0);
    await watchFace(page);
    await until(async () => (await watchedFace(page)).pictures.length > FIRST_PICTURES);
    return { page, pipeline };
  } catch (error) {
    await pipeline.close();
    throw error;
  }
}

/** The mouth opens with each burst, and then moves in every picture. */
function speech(): Int16Array {
  const burst = utterance([['a', BURST_MS]], { level: 0.4 });
  const bursts = Array.from({ length: BURSTS - 1 }, () => [burst, silence(PAUSE_MS)]);
  return joined(...bursts.flat(), burst, babble(RATE, BABBLE_MS));
}

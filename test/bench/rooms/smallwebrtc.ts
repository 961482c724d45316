import { needPipecat } from '../../support/agents/pipecat-pipeline.ts';
import {
  BABBLE_MS,
  BURSTS,
  BURSTS_MS,
  startWebrtcConversation,
} from '../../support/agents/webrtc-conversation.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import {
  lipOffsets,
  pictureRate,
  watchedFace,
  type WatchedFace,
} from '../../support/pages/lips.ts';
import { startLoad } from '../api/load-meter.ts';
import type { Measure } from '../bench.ts';
import { row, type Load } from '../report/row.ts';

/** A minute: Chromium needs half of it to settle how long it holds pictures and sound. */
const UTTERANCES = 12;
const FPS = 25;

/** `onsetCounts`: begins of sound up to the end of each utterance. */
type Conversation = { face: WatchedFace; onsetCounts: number[]; load: Load };

/** A Pipecat bot behind SmallWebRTC shows an avatar to Chromium, which measures it. */
export const smallWebrtc: Measure = async ({ service }) => {
  needPipecat();
  const browser = await openBrowser();
  try {
    const { page, pipeline } = await startWebrtcConversation(service, browser);
    try {
      const onsetCounts: number[] = [];
      const endLoad = startLoad();
      while (onsetCounts.length < UTTERANCES) {
        await pipeline.say();
        onsetCounts.push((await watchedFace(page)).onsetsMs.length);
      }
      // The meter cannot attribute a process that has ended, so before bot and browser do.
      const load = endLoad();
      return rowsOf({ face: await watchedFace(page), onsetCounts, load });
    } finally {
      await pipeline.close();
    }
  } finally {
    await browser.close();
  }
};

function rowsOf({ face, onsetCounts, load }: Conversation) {
  const offsets = lipOffsets(face);
  const utterances = onsetCounts.map((to, i) => {
    const from = onsetCounts[i - 1] ?? 0;
    const babblesMs = face.onsetsMs[from]! + BURSTS_MS;
    const bursts = face.onsetsMs.slice(from, to).filter((at) => at < babblesMs).length;
    return {
      rate: pictureRate(face, babblesMs, babblesMs + BABBLE_MS),
      begins: to - from,
      lips: offsets.slice(from, from + bursts),
    };
  });
  return [
    row({
      what: `pictures a second that Chromium shows, minus ${FPS}, ${UTTERANCES} utterances`,
      unit: '/s',
      values: utterances.map(({ rate }) => rate - FPS),
      goal: { of: 'worst', within: 1 },
      load,
    }),
    row({
      what: 'begins of sound, minus those that were said: gaps',
      unit: '',
      values: utterances.map(({ begins }) => begins - BURSTS),
      goal: { of: 'worst', within: 0 },
      load,
    }),
    row({
      what: 'lips after sound',
      unit: 'ms',
      values: utterances.flatMap(({ lips }) => lips),
      goal: { of: 'median', within: 40 },
      note: 'a frame is 40 ms',
      load,
    }),
  ];
}

import { joined } from '../../support/sound/pcm.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import type { Check } from '../check.ts';
import { SPEECH_RATE } from '../conversation.ts';
import { judgePicture } from '../judgement/picture.ts';
import { judgeReports } from '../judgement/playback.ts';

/** The tone starts over, so that it stays in the range of a voice. */
const PART_S = 10;
/** Share of the whole talk: a viewer's buffer catches up now and then. */
const MISSING_SHARE = 0.01;

export const longTalk: Check = {
  name: 'long-talk',
  what: 'one long segment is played in real time, whole, with steady pictures',
  run: (kit) =>
    kit.converse(async (conversation) => {
      const { viewer, agent, segments } = conversation;
      const parts = Math.ceil(kit.talkSeconds / PART_S);
      const seconds = parts * PART_S;
      const sound = joined(...Array.from({ length: parts }, () => risingTone(SPEECH_RATE, PART_S)));
      const fromMs = performance.now();
      await conversation.say(seconds, sound);
      await conversation.finished(seconds * 1000 + 15_000);
      const tookS = (performance.now() - fromMs) / 1000;
      await conversation.isSilent();
      const heardSeconds = viewer.utterances.reduce((sum, utterance) => sum + utterance.seconds, 0);
      const times = viewer.faces.sights.map(({ atMs }) => atMs);
      return {
        problems: [
          ...judgeReports(segments, agent.finished),
          ...(heardSeconds >= seconds * (1 - MISSING_SHARE) && heardSeconds <= seconds + 1
            ? []
            : [`${heardSeconds.toFixed(1)} s of ${seconds} s are heard`]),
          ...(tookS >= seconds - 1 ? [] : [`finished after ${tookS.toFixed(1)} s`]),
          ...judgePicture(times, { fromMs, toMs: performance.now() }),
        ],
        facts: `${seconds} s said, ${heardSeconds.toFixed(1)} s heard`,
      };
    }),
};

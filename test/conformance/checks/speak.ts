import type { Check } from '../check.ts';
import { judgePicture } from '../judgement/picture.ts';
import { judgeHeard, judgeReports } from '../judgement/playback.ts';
import { within } from '../../stage/time-limit.ts';

const SAID = [3, 1.5];
const HEARD_WITHIN_S = 0.25;

export const speak: Check = {
  name: 'speak',
  what: 'a viewer hears the speech and sees the face; the agent is told the position',
  run: (kit) =>
    kit.converse(async (conversation) => {
      const { viewer, agent, segments } = conversation;
      const fromMs = performance.now();
      const lengths = () => viewer.utterances.map(({ seconds }) => seconds);
      for (const seconds of SAID) await conversation.sayAll(seconds);
      // A viewer's buffer is behind the report.
      await conversation.isSilent();
      await within(1_000, 'every frame', () => viewer.frames > 0);
      const times = viewer.faces.sights.map(({ atMs }) => atMs);
      return {
        problems: [
          ...judgeReports(segments, agent.finished),
          ...judgeHeard(SAID, lengths(), HEARD_WITHIN_S),
          ...judgePicture(times, { fromMs, toMs: performance.now() }),
        ],
        facts: `reported ${positions(agent.finished)} s, heard ${lengths()
          .map((seconds) => seconds.toFixed(2))
          .join(' and ')} s`,
      };
    }),
};

const positions = (finished: { playback_position: number }[]): string =>
  finished.map(({ playback_position: seconds }) => seconds.toFixed(2)).join(' and ');

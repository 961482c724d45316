import type { Check } from '../check.ts';
import { judgeHeard, judgePosition, judgeReports } from '../judgement/playback.ts';

/** Milliseconds of speech before each interruption; 0: as soon as it was sent. */
const STORM_MS = [400, 0, 150, 700, 0, 50, 250, 0, 600, 100];
/** Python agents then invent a report of their own. */
const REPORT_MS = 2_000;
const HEARD_WITHIN_S = 0.25;
const LAST_S = 1.5;

export const interruptions: Check = {
  name: 'interruptions',
  what: 'a storm of interruptions: one true report for each, silence at once, then whole speech',
  run: (kit) =>
    kit.converse(async (conversation) => {
      const { viewer, agent, segments } = conversation;
      const slow: string[] = [];
      let longestMs = 0;
      for (const afterMs of STORM_MS) {
        const tookMs = await interruptAfter(conversation, afterMs);
        longestMs = Math.max(longestMs, tookMs);
        if (tookMs > REPORT_MS) slow.push(`the report took ${Math.round(tookMs)} ms`);
      }
      await conversation.isSilent();
      viewer.forget();
      await conversation.say(4);
      await conversation.hears(1);
      await conversation.interrupt();
      await conversation.isSilent();
      const position = agent.finished.at(-1)!.playback_position;
      const heardSeconds = viewer.lastHeard();
      viewer.forget();
      // With nothing to interrupt, nothing is reported.
      await agent.clear();
      await conversation.sayAll(LAST_S);
      await conversation.isSilent();
      const utterances = viewer.utterances.map(({ seconds }) => seconds);
      return {
        problems: [
          ...judgeReports(segments, agent.finished),
          ...slow,
          ...judgePosition(position, heardSeconds, HEARD_WITHIN_S),
          ...judgeHeard([LAST_S], utterances, HEARD_WITHIN_S),
        ],
        facts: `${STORM_MS.length + 1} interruptions, slowest report ${Math.round(longestMs)} ms; reported ${position.toFixed(2)} s, heard ${heardSeconds?.toFixed(2)} s`,
      };
    }),
};

type Talk = {
  say(seconds: number): Promise<void>;
  interrupt(): Promise<number>;
};

async function interruptAfter(conversation: Talk, afterMs: number): Promise<number> {
  await conversation.say(3);
  if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
  return conversation.interrupt();
}

import type { Finished } from '../../bench/rooms/agent.ts';
import type { Check } from '../check.ts';
import { longestGapMs } from '../judgement/picture.ts';
import { judgeReports } from '../judgement/playback.ts';

/** A session waits up to 15 s for a slot; the other worker has one. */
const BACK_MS = 15_000;
const SAID_S = 8;
/** Frames of the other worker before the agent speaks again. */
const SETTLED_FRAMES = 10;

export const kill: Check = {
  name: 'kill',
  what: 'kill -9: another worker takes the session over; open speech is reported as interrupted',
  async run(kit) {
    await kit.clear();
    const worker = await kit.start();
    const conversation = await kit.open(worker);
    const { viewer, agent, segments } = conversation;
    try {
      const otherWorker = await kit.start();
      await conversation.say(SAID_S);
      segments.at(-1)!.isCut = true;
      await conversation.hears(1);
      const sid = viewer.faces.current!;
      const fromMs = performance.now();
      await worker.kill();
      await viewer.seesOther(sid, BACK_MS).catch((cause: unknown) => {
        throw new Error(`no other worker shows the face within ${BACK_MS / 1000} s`, { cause });
      });
      await conversation.finished(BACK_MS);
      await viewer.sees(SETTLED_FRAMES);
      agent.finished = withoutGapReport(agent.finished);
      await conversation.sayAll(1);
      const times = viewer.faces.sights.map(({ atMs }) => atMs);
      const gapMs = longestGapMs(times, fromMs, performance.now());
      const unanswered = otherWorker.tap.received('assign').at(-1)?.message.unanswered;
      return {
        problems: [
          ...judgeReports(segments, agent.finished),
          ...(unanswered?.length === 1
            ? []
            : [`${unanswered?.length ?? 0} segments in \`speech\` while it spoke one`]),
        ],
        facts: `the face is back after ${(gapMs / 1000).toFixed(1)} s`,
      };
    } finally {
      await conversation.close();
      await kit.clear();
    }
  },
};

/**
 * A worker that takes over may report one more unheard segment: the agent may have sent it while no
 * worker was in the room. An agent that waits for none ignores it.
 */
function withoutGapReport([first, second, ...more]: Finished[]): Finished[] {
  const isForGap = second?.interrupted === true && second.playback_position === 0;
  return [first, ...(isForGap ? [] : [second]), ...more].filter((report) => report !== undefined);
}

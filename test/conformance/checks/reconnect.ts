import type { Check } from '../check.ts';
import { judgePicture } from '../judgement/picture.ts';
import { judgeReports } from '../judgement/playback.ts';
import { within } from '../../stage/time-limit.ts';

const RECONNECT_MS = 5_000;
/** Three pings of 3 s without a message, and the way back. */
const SILENT_MS = 3 * 3_000 + RECONNECT_MS;

export const reconnect: Check = {
  name: 'reconnect',
  what: 'connects again after a broken or silent connection; its session goes on',
  async run(kit) {
    const broken = await kit.converse(async (conversation, { tap }) => {
      const { viewer, agent, segments } = conversation;
      const registers = tap.sent('register');
      const fromMs = performance.now();
      tap.cut();
      await within(
        RECONNECT_MS,
        'the worker registers again',
        () => tap.sent('register').length > registers.length,
      );
      const tookMs = performance.now() - fromMs;
      const newRegister = tap.sent('register').at(-1)!.message;
      await conversation.sayAll(1);
      const { status } = await kit.stage.find(conversation.id);
      const times = viewer.faces.sights.map(({ atMs }) => atMs);
      return {
        tookMs,
        problems: [
          ...(newRegister.workerId === registers[0]!.message.workerId
            ? []
            : ['comes back under another id']),
          ...(newRegister.performing.some(({ sessionId }) => sessionId === conversation.id)
            ? []
            : ['`register` does not name the running session in `performing`']),
          ...(status.type === 'ongoing' ? [] : [`the session is ${status.type}`]),
          ...judgePicture(times, { fromMs, toMs: performance.now() }),
          ...judgeReports(segments, agent.finished),
        ],
      };
    });

    const { tap } = await kit.worker();
    const heldMs = performance.now();
    const registers = tap.sent('register').length;
    tap.hold();
    await within(
      SILENT_MS,
      'a new connection instead of a silent one',
      () => tap.sent('register').length > registers,
    );
    const silentMs = performance.now() - heldMs;
    return {
      problems: broken.problems,
      facts: `back ${Math.round(broken.tookMs)} ms after a break, ${(silentMs / 1000).toFixed(1)} s after silence`,
    };
  },
};

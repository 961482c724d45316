import type { Check } from '../check.ts';
import { within } from '../../stage/time-limit.ts';

/** An agent has ten seconds to come back. */
const LEFT_MS = 25_000;
const RECORDED_MS = 5_000;
const RESEND_MS = 12_000;

export const reports: Check = {
  name: 'reports',
  what: 'leaves when its agent has left; sends `ended` again until it is acknowledged',
  async run(kit) {
    const worker = await kit.worker();
    const { tap } = worker;
    const conversation = await kit.open(worker);
    tap.acksToLose = 1;
    const leftMs = performance.now();
    const ofSession = () =>
      tap.sent('ended').filter(({ message }) => message.placement.sessionId === conversation.id);
    try {
      await conversation.agentLeaves();
      await within(LEFT_MS, 'the worker reports `ended`', () => ofSession().length > 0);
      const reason = await conversation.isOver(RECORDED_MS);
      const tookMs = performance.now() - leftMs;
      await within(RESEND_MS, '`ended` once more, without an ack', () => ofSession().length > 1);
      const ids = new Set(ofSession().map(({ message }) => message.id));
      return {
        problems: [
          ...(reason === 'agent_left' ? [] : [`the reason is ${reason}, not agent_left`]),
          ...(ids.size === 1 ? [] : ['`ended` is repeated under another id']),
        ],
        facts: `left ${(tookMs / 1000).toFixed(1)} s after its agent`,
      };
    } finally {
      tap.acksToLose = 0;
      await conversation.leave();
    }
  },
};

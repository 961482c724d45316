import type { Check } from '../check.ts';
import { judgePicture } from '../judgement/picture.ts';
import { judgeReports } from '../judgement/playback.ts';
import { within } from '../../stage/time-limit.ts';

/** Messages of a newer or broken gateway. */
const ODD = ['no JSON', '[]', 'null', '{}', '{"type":"sing","loud":true}', '{"type":"assign"}'];
/** A known message with a field that is not known yet. */
const NEWER_PING = '{"type":"ping","later":true}';
const PONG_MS = 3_000;

export const oddMessages: Check = {
  name: 'odd-messages',
  what: 'ignores malformed and unknown messages, and unknown fields',
  run: (kit) =>
    kit.converse(async (conversation, worker) => {
      const { viewer, agent, segments } = conversation;
      const { tap } = worker;
      const connections = tap.connections.length;
      const fromMs = performance.now();
      for (const text of ODD) tap.inject(text);
      const pongs = tap.sent('pong').length;
      tap.inject(NEWER_PING);
      await within(PONG_MS, 'a pong after odd messages', () => tap.sent('pong').length > pongs);
      await conversation.sayAll(1);
      const times = viewer.faces.sights.map(({ atMs }) => atMs);
      const reconnects = tap.connections.length - connections;
      return {
        problems: [
          ...(reconnects > 0 ? [`connects again ${reconnects} times`] : []),
          ...(worker.hasExited ? ['the worker exits'] : []),
          ...judgePicture(times, { fromMs, toMs: performance.now() }),
          ...judgeReports(segments, agent.finished),
        ],
        facts: `${ODD.length} ignored, the session goes on`,
      };
    }),
};

import type { Check } from '../check.ts';
import { judgeHeartbeat } from '../judgement/heartbeat.ts';

const LEAST_MS = 10_000;

export const heartbeat: Check = {
  name: 'heartbeat',
  what: 'answers pings, beats while it has sessions, reports its load',
  async run(kit) {
    // Also the connections of the checks before.
    const { tap } = await kit.worker();
    await kit.converse(() => new Promise<void>((resolve) => setTimeout(resolve, LEAST_MS)));
    const nowMs = performance.now();
    const problems = tap.connections.flatMap(({ closedMs }, number) =>
      judgeHeartbeat(
        tap.heard.filter(({ connection }) => connection === number),
        closedMs ?? nowMs,
      ),
    );
    const [pings, beats] = [tap.received('ping').length, tap.sent('beat').length];
    return { problems, facts: `${pings} pings, ${beats} beats, ${tap.sent('load').length} loads` };
  },
};

import type { Check } from '../check.ts';
import { judgeReports } from '../judgement/playback.ts';
import { inTime, within } from '../../stage/time-limit.ts';

const SAID_MS = 5_000;
const EXIT_MS = 15_000;

export const drain: Check = {
  name: 'drain',
  what: 'SIGTERM: finishes its session, takes nothing new, exits with 0; `drain`: the same',
  async run(kit) {
    const worker = await kit.worker();
    const { tap } = worker;
    const conversation = await kit.open(worker);
    const { agent, segments } = conversation;
    const problems: string[] = [];
    try {
      worker.terminate();
      await within(SAID_MS, '`load` with `draining` after SIGTERM', () =>
        tap.sent('load').some(({ message }) => message.draining),
      );
      await conversation.sayAll(1);
      if (worker.hasExited) problems.push('exits before its session has ended');
      problems.push(...judgeReports(segments, agent.finished));
    } finally {
      await conversation.close();
    }
    const code = await inTime(EXIT_MS, 'the drained worker exits', worker.exited);
    if (code !== 0) problems.push(`exits with ${code} after SIGTERM`);

    const idle = await kit.start();
    const fromMs = performance.now();
    idle.tap.inject('{"type":"drain"}');
    const idleCode = await inTime(EXIT_MS, 'an idle worker exits after `drain`', idle.exited);
    if (idleCode !== 0) problems.push(`exits with ${idleCode} after \`drain\``);
    const tookMs = Math.round(performance.now() - fromMs);
    return { problems, facts: `finished its session; idle, it exits in ${tookMs} ms` };
  },
};

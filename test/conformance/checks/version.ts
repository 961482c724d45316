import { CLOSE } from '#protocol/worker/close-codes.ts';
import { PROTOCOL_VERSION } from '#protocol/worker/worker-messages.ts';
import type { Check } from '../check.ts';
import { judgeRefused } from '../judgement/registration.ts';
import { within } from '../../stage/time-limit.ts';

const START_MS = 60_000;
const WATCHED_MS = 10_000;

export const version: Check = {
  name: 'version',
  what: 'refused for its protocol version, it stops or tries again with back-off',
  async run(kit) {
    const worker = await kit.spawn(PROTOCOL_VERSION + 1);
    const { tap } = worker;
    await within(START_MS, 'the gateway refuses another version', () =>
      tap.connections.some(({ closeCode }) => closeCode === CLOSE.wrong_protocol.code),
    );
    let watching: NodeJS.Timeout | undefined;
    const watched = new Promise<void>((resolve) => {
      watching = setTimeout(resolve, WATCHED_MS);
    });
    await Promise.race([worker.exited, watched]);
    clearTimeout(watching);
    const code = worker.hasExited ? await worker.exited : null;
    return {
      problems: judgeRefused(tap.connections, worker.hasExited),
      facts: worker.hasExited
        ? `closed with ${CLOSE.wrong_protocol.code}; exits with ${code}`
        : `${tap.connections.length} attempts in ${WATCHED_MS / 1000} s`,
    };
  },
};

/*
 * CPU time of the lip-sync in a real worker: its share of the main thread, sampled during speaking
 * sessions.
 */
import type { Measure } from '../bench.ts';
import { profileOf, shareIn } from './profile.ts';
import { row, type Row } from '../report/row.ts';

const SESSIONS = 2;
const ROUNDS = 3;
const SECONDS = 10;
const MOST_PERCENT = 0.4;
const FOLDER = '/workers/avatar/lipsync/';

const MODES = [
  { mode: 'at 60 ms (speech sent at once)', pieceMs: undefined },
  { mode: 'at 20 ms (speech at its own pace)', pieceMs: 20 },
];

export const lipSyncCpu: Measure = async (stage, say) => {
  const rows: Row[] = [];
  for (const { mode, pieceMs } of MODES) {
    const rooms = await stage.beginAll(stage.avatar, SESSIONS);
    const pid = await stage.avatar.pid();
    const seconds = ROUNDS * (SECONDS + 3) + 10;
    await Promise.all(rooms.map((room) => stage.probe.speak(room, seconds, pieceMs)));
    const percents: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const share = shareIn(await profileOf(pid, SECONDS * 1000), FOLDER);
      percents.push((100 * share) / SESSIONS);
    }
    await stage.leaveAll(stage.avatar, rooms);
    say(`${mode}: ${percents.map((each) => each.toFixed(2)).join(', ')} %`);
    rows.push(
      row({
        what: `lip-sync of a speaking session, ${mode}`,
        unit: '% of a core',
        values: percents,
        goal: { of: 'median', atMost: MOST_PERCENT },
        note: `${SESSIONS} sessions, ${ROUNDS} times ${SECONDS} s`,
      }),
    );
  }
  return rows;
};

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentProcess } from '../support/agent-process.ts';
import { CURRENT, EARLIER, IN_NODE, type Face } from '../support/door-faces.ts';
import { DoorStage, isNodeThere, isPythonThere, roomOf } from '../support/door-stage.ts';
import type { Utterance } from '../support/rising-tone.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { HEARING_TOLERANCE_S, Witness } from '../support/witness.ts';

type Asks = { identity: string; version?: string };

/** What an agent was told of what it said. */
type Played = { position: number; interrupted: boolean; after: number };

/** What came out, for a person to read. */
type Row = Record<string, string>;
const rows: Row[] = [];

let service: RunningService;
let stage: DoorStage;
const endings: Promise<void>[] = [];

beforeAll(async () => {
  if (!isPythonThere && !isNodeThere) return;
  service = await startService({ env: NO_AGENTS });
  stage = new DoorStage(service);
});
afterAll(async () => {
  await Promise.allSettled(endings);
  if (rows.length > 0) console.table(rows);
  await stage?.close();
  await service?.stop();
});

// What fails once in many runs must be understood from what that run printed.
beforeEach(({ onTestFailed }) =>
  onTestFailed(async () => {
    for (const name of ['control', 'worker', 'media-server'] as const) {
      console.error(`${name}:\n${(await service.logOf(name)).split('\n').slice(-60).join('\n')}`);
    }
  }),
);

type Session = { id: string; status: { type: string }; end_reason?: string };

const read = async <Body>(pathname: string) => (await (await service.api(pathname)).json()) as Body;

async function newestSession(): Promise<string> {
  const { data } = await read<{ data: Session[] }>('/v1/sessions?limit=1');
  return data[0]!.id;
}

async function converse(agent: AgentProcess, face: Face, room: string): Promise<void> {
  const { identity, version = '' } = await agent.next<Asks>('asks', room);
  const askedAt = performance.now();
  const witness = new Witness(identity);
  await witness.join(service.mediaServer.url, await stage.token(room, 'viewer'));
  const seen = witness.sees(1).then(() => performance.now() - askedAt);
  // An agent whose plugin failed says so before the viewer has waited in vain.
  const [seenMs] = await Promise.all([seen, agent.next('ready', room)]);
  const session = await newestSession();

  const whole = await agent.next<Played>('whole', room);
  const cut = await agent.next<Played>('cut', room);
  const third = await agent.next<Played>('third', room);
  const utterances = await heardOf(witness);
  await witness.leave();
  await agent.next('left', room);

  const [five, thirty, one] = utterances;
  const cutErrorS = cut.position - (thirty?.last ?? 0);
  const row = {
    door: face.door,
    with: `${face.how} ${version}`,
    'seen after ms': seenMs.toFixed(0),
    'heard of 5 s': `${five?.seconds.toFixed(2)}: ${five?.first.toFixed(1)}..${five?.last.toFixed(1)}`,
    'told of 5 s': whole.position.toFixed(3),
    'told of cut, error ms': (cutErrorS * 1_000).toFixed(0),
    'told after ms': (cut.after * 1_000).toFixed(0),
    'told of 1 s': third.position.toFixed(3),
    ended: '',
  };
  rows.push(row);
  const ending = completed(session, row);
  // It is looked at after the last conversation.
  ending.catch(() => {});
  endings.push(ending);

  expect(utterances).toHaveLength(3);
  expect(Math.abs(five!.seconds - 5)).toBeLessThan(0.5);
  expect(five!.first).toBeLessThan(0.2);
  expect(five!.last).toBeGreaterThan(4.9);
  expect(whole.interrupted).toBe(false);
  expect(Math.abs(whole.position - 5)).toBeLessThan(0.05);
  expect(cut.interrupted).toBe(true);
  expect(Math.abs(cutErrorS)).toBeLessThan(HEARING_TOLERANCE_S);
  expect(third.interrupted).toBe(false);
  expect(Math.abs(third.position - 1)).toBeLessThan(0.05);
  expect(one!.last).toBeGreaterThan(0.9);
}

/** All three; some of it may still be on its way to the viewer. */
async function heardOf(witness: Witness): Promise<Utterance[]> {
  const giveUpAt = performance.now() + 4_000;
  for (;;) {
    const { utterances } = witness;
    const isAll = (utterances[2]?.last ?? 0) > 0.9;
    if (isAll || performance.now() > giveUpAt) return utterances;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function completed(id: string, row: Row): Promise<void> {
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { status, end_reason } = await read<Session>(`/v1/sessions/${id}`);
    row['ended'] = end_reason ?? status.type;
    return status.type === 'completed';
  }, 30_000);
}

describe.each([
  ['current', CURRENT],
  ['earlier', EARLIER],
] as const)('the doors for published Python plugins, %s', (age, faces) => {
  let agent: AgentProcess;
  beforeAll(async () => {
    if (isPythonThere) agent = await stage.startPython(faces, age);
  });
  // The media server gives any room to any agent that waits.
  afterAll(() => agent?.stop());

  // Their environment is made by `.ci/run`, which fails without it; elsewhere Python need not be there.
  test.skipIf(!isPythonThere).for(faces)('$door: $how', async (face) => {
    const room = roomOf(face, age);
    await service.hasFreeSlot();
    await stage.makeRoom(room);
    await converse(agent, face, room);
  });
});

describe('the doors for published Node clients', () => {
  test.skipIf(!isNodeThere).for(IN_NODE)('$door: $how', async (face) => {
    await service.hasFreeSlot();
    await converse(await stage.startNode(face), face, roomOf(face));
  });
});

test.skipIf(!isPythonThere && !isNodeThere)('all their sessions are completed', async () => {
  await Promise.all(endings);

  expect(rows.length).toBeGreaterThan(0);
});

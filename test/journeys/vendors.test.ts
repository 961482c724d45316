import { decodeJwt } from 'jose';
import type { VideoGrant } from 'livekit-server-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test, type TestContext } from 'vitest';
import { AgentPool } from '../support/fleet/agent-pool.ts';
import { HostWatch } from '../support/processes/host-watch.ts';
import type { AgentProcess } from '../support/processes/agent-process.ts';
import { CURRENT, EARLIER, IN_NODE, type Face } from '../support/agents/vendor-faces.ts';
import {
  VendorStage,
  isNodeThere,
  isPythonThere,
  roomOf,
  type Age,
} from '../support/agents/vendor-stage.ts';
import type { Utterance } from '../support/sound/rising-tone.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { until } from '../support/until.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';

type Asks = { identity: string; version?: string };

/** Playback report that an agent received. */
type Played = { position: number; interrupted: boolean; after: number };

/** Results, for a person to read. */
type Row = Record<string, string>;
const rows: Row[] = [];

let service: RunningService;
let stage: VendorStage;
const endings: Promise<void>[] = [];

beforeAll(async () => {
  if (!isPythonThere && !isNodeThere) return;
  service = await startService({ env: NO_AGENTS });
  stage = new VendorStage(service);
  if (!isPythonThere) return;
  await Promise.all([startAgents('earlier', EARLIER, 1), startAgents('current', CURRENT, 2)]);
});
afterAll(async () => {
  await Promise.allSettled(endings);
  if (rows.length > 0) console.table(rows);
  await stage?.close();
  await service?.stop();
});

// A rare failure must be explained by the output of the run in which it happened.
beforeEach(({ onTestFailed }) =>
  onTestFailed(async () => {
    for (const name of ['control', 'worker', 'media-server'] as const) {
      console.error(`${name}:\n${(await service.logOf(name)).split('\n').slice(-60).join('\n')}`);
    }
  }),
);

type Session = { id: string; status: { type: string }; end_reason?: string };

const read = async <Body>(pathname: string) => (await (await service.api(pathname)).json()) as Body;

const roomOfToken = (token: string) => decodeJwt<{ video: VideoGrant }>(token).video.room;

/** Only the older path tells the room token, which names the room. */
async function sessionIn(room: string): Promise<string> {
  const sessions = await read<{ id: string; livekit_token: string }[]>('/v1/session');
  return sessions.find(({ livekit_token }) => roomOfToken(livekit_token) === room)!.id;
}

async function converse(
  context: TestContext,
  agent: AgentProcess,
  face: Face,
  room: string,
): Promise<void> {
  await agent.next('connected', room);
  await service.hasFreeSlot();
  await stage.begin(room);
  const { identity, version = '' } = await agent.next<Asks>('asks', room);
  const askedAt = performance.now();
  const witness = new Witness(identity);
  await witness.join(service.mediaServer.url, await stage.token(room, 'viewer'));
  const seen = witness.sees(1).then(() => performance.now() - askedAt);
  // An agent whose plugin failed says so before the viewer has waited in vain.
  const [seenMs] = await Promise.all([seen, witness.listens(), agent.next('ready', room)]);
  witness.closeEyes();
  const host = new HostWatch(context);
  await stage.letSpeak(room);
  const session = await sessionIn(room);

  const parts = face.isVariant
    ? null
    : {
        whole: await agent.next<Played>('whole', room),
        cut: await agent.next<Played>('cut', room),
      };
  const last = await agent.next<Played>('last', room);
  const utterances = await heardOf(witness);
  await stage.dismiss(room);
  await witness.leave();
  await agent.next('left', room);

  const row: Row = {
    vendor: face.vendor,
    with: `${face.how} ${version}`,
    'seen after ms': seenMs.toFixed(0),
    ...(parts && rowOfWhole(utterances, parts)),
    'reported of 1 s': last.position.toFixed(3),
    ended: '',
  };
  rows.push(row);
  const ending = completed(session, row);
  // It is looked at after the last conversation.
  ending.catch(() => {});
  endings.push(ending);

  const one = utterances.at(-1)!;
  expect(utterances).toHaveLength(parts ? 3 : 1);
  expect(last.interrupted).toBe(false);
  expect(Math.abs(last.position - 1)).toBeLessThan(HEARD_WITHIN_S);
  if (parts) {
    expect(parts.whole.interrupted).toBe(false);
    expect(Math.abs(parts.whole.position - 5)).toBeLessThan(HEARD_WITHIN_S);
    expect(parts.cut.interrupted).toBe(true);
  }
  host.judgeTime(() => {
    expect(Math.abs(one.last - 1)).toBeLessThan(HEARD_WITHIN_S);
    if (!parts) return;
    const [five, twelve] = utterances;
    expect(Math.abs(five!.seconds - 5)).toBeLessThan(HEARD_WITHIN_S);
    expect(Math.abs(five!.first)).toBeLessThan(HEARD_WITHIN_S);
    expect(Math.abs(five!.last - 5)).toBeLessThan(HEARD_WITHIN_S);
    expect(Math.abs(parts.cut.position - twelve!.last)).toBeLessThan(HEARD_WITHIN_S);
  });
}

type Parts = { whole: Played; cut: Played };

const rowOfWhole = ([five, twelve]: Utterance[], { whole, cut }: Parts): Row => ({
  'heard of 5 s': `${five?.seconds.toFixed(2)}: ${five?.first.toFixed(2)}..${five?.last.toFixed(2)}`,
  'reported of 5 s': whole.position.toFixed(3),
  'error of the cut, ms': ((cut.position - (twelve?.last ?? 0)) * 1_000).toFixed(0),
  'cut reported after ms': (cut.after * 1_000).toFixed(0),
});

/** The last one, of a second, may still be on its way to the viewer. */
async function heardOf(witness: Witness): Promise<Utterance[]> {
  const giveUpAt = performance.now() + 4_000;
  // It has been reported as played, so the viewer hears it, not the one before.
  const isAll = () => Math.abs((witness.lastHeard() ?? 0) - 1) < 0.01;
  while (!isAll() && performance.now() < giveUpAt)
    await new Promise((resolve) => setTimeout(resolve, 200));
  return witness.utterances;
}

async function completed(id: string, row: Row): Promise<void> {
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { status, end_reason } = await read<Session>(`/v1/sessions/${id}`);
    row['ended'] = end_reason ?? status.type;
    return status.type === 'completed';
  }, 30_000);
}

type NamedAgent = { name: string; process: AgentProcess };
const pools = new Map<Age, AgentPool<NamedAgent>>();

async function startAgents(age: Age, faces: readonly Face[], count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, i) => `${age}-${i}`);
  const start = async (name: string): Promise<NamedAgent> => ({
    name,
    process: await stage.startPython(name, faces, age),
  });
  pools.set(age, new AgentPool(await Promise.all(names.map(start))));
}

type Client = { face: Face; age: Age | 'node' };
const clientsOf = (age: Client['age'], faces: readonly Face[]): Client[] =>
  faces.map((face) => ({ face, age }));

/** Their agents end the session. Where they only leave, it ends ten seconds later: the last conversations must not wait for that. */
const ENDING = ['boson_avatar', 'inference', 'protoface', 'runway'];

const endingLast = (clients: Client[]): Client[] => {
  const ends = ({ face: { vendor } }: Client) => ENDING.includes(vendor);
  return [...clients.filter((client) => !ends(client)), ...clients.filter(ends)];
};

/** Two of the current releases and one other at a time: each finds an agent that is free. */
function inTurn(): Client[] {
  const current = endingLast(clientsOf('current', CURRENT));
  const others = endingLast([...clientsOf('earlier', EARLIER), ...clientsOf('node', IN_NODE)]);
  const rounds = Math.ceil(current.length / 2);
  return Array.from({ length: rounds }, () => [...current.splice(0, 2), ...others.splice(0, 1)])
    .flat()
    .concat(others);
}

describe.concurrent('published clients of other vendors', () => {
  for (const { face, age } of inTurn()) {
    // The Python environment is made by `.ci/run`, which fails without it; elsewhere Python need not be there.
    const isThere = age === 'node' ? isNodeThere : isPythonThere;
    test.skipIf(!isThere)(`${face.vendor}: ${face.how}, ${age}`, async (context) => {
      if (age === 'node') {
        return converse(context, await stage.startNode(face), face, roomOf(face));
      }
      const room = roomOf(face, age);
      await pools.get(age)!.with(async ({ name, process }) => {
        await stage.dispatch(name, room);
        await converse(context, process, face, room);
      });
    });
  }
});

test.skipIf(!isPythonThere && !isNodeThere)('all their sessions are completed', async () => {
  await Promise.all(endings);

  expect(rows.length).toBeGreaterThan(0);
});

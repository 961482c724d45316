/*
 * Sessions in botrooms beside the same ones in LiveKit rooms, in one run: how late speech comes
 * back, and what a session costs. The rooms run in turn, under the same load of the machine.
 */
import type { Measure } from '../../bench.ts';
import { meanLoad, startLoad } from '../../api/load-meter.ts';
import { cpuSeconds, median, pssMb } from '../../machine.ts';
import { pause } from '../../pause.ts';
import { row, type Load, type Row } from '../../report/row.ts';
import { Child, machineMs } from '../../rpc.ts';
import type { Stage } from '../../stage.ts';
import type { ClientView } from './botroom-clients.ts';
import { duePictures, type DueRate } from './due-pictures.ts';
import { plainMs, withoutBuffer } from '../latency.ts';
import { FIRST_AVATAR } from '../../../support/cast.ts';

const TRIES = 8;
const ROUNDS = 3;
const SESSIONS = 4;
const SECONDS = 20;
const AVATAR = FIRST_AVATAR.alias;
/** Sessions without a service, for the pictures that are due. */
const DRAWN = 6;

type Opened = { id: string; url: string; token: string };
type Latencies = { speech: number[]; clear: number[] };
/** Cores and memory of one session. `controlMb`: growth of the control plane. */
type Cost = { worker: number; control: number; workerMb: number; controlMb: number };
type Measures = { botrooms: Cost[]; rooms: Cost[]; views: ClientView[] };

export const botroom: Measure = async (stage, say) => {
  const clients = new Child(new URL('./botroom-clients.ts', import.meta.url));
  const relay = new Child(new URL('./echo-relay.ts', import.meta.url));
  try {
    await Promise.all([clients.ready, relay.ready]);
    const endLatencyLoad = startLoad();
    const floor = await latencies(clients, await relay.ask<Opened>('open'), 0);
    const session = await openSession(stage);
    const botroomLatencies = await latencies(clients, session);
    await endSession(stage, session);
    const room = await roomLatencies(stage);
    const latencyLoad = endLatencyLoad();

    const dueRates = await duePictures(AVATAR, SECONDS, DRAWN);
    const measures: Measures = { botrooms: [], rooms: [], views: [] };
    const loads: Load[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const endLoad = startLoad();
      // A worker that was late on a busy machine offers no slots for a while.
      await stage.service.hasFreeSlot();
      await inBotrooms(stage, clients, measures);
      await stage.service.hasFreeSlot();
      await inRooms(stage, measures);
      say(`round ${i + 1} of ${ROUNDS}`);
      loads.push(endLoad());
    }
    // Judged as in the benches `speech` and `clear`, and as in `load-4`.
    return [
      ...latencyRows({ botroom: botroomLatencies, floor, room }).map((each): Row => ({
        ...each,
        load: latencyLoad,
        calmBy: 'pressure',
      })),
      ...[...viewRows(measures.views, dueRates), ...costRows(measures)].map((each) => ({
        ...each,
        load: meanLoad(loads),
      })),
    ];
  } finally {
    clients.kill();
    relay.kill();
  }
};

async function openSession(stage: Stage): Promise<Opened> {
  return stage.service.make<Opened>('/v1/sessions', { avatar_id: AVATAR, transport: 'botroom' });
}

async function endSession(stage: Stage, { id }: Opened): Promise<void> {
  await stage.service.api(`/v1/sessions/${id}/end`, { method: 'POST' });
}

async function latencies(clients: Child, room: Opened, clearTries = TRIES): Promise<Latencies> {
  await clients.ask('join', room);
  const { id } = room;
  const speech: number[] = [];
  const clear: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    speech.push(await clients.ask<number>('speechLatency', { id }));
    await pause(Math.random() * 200);
  }
  for (let i = 0; i < clearTries; i++)
    clear.push(await clients.ask<number>('clearLatency', { id }));
  await clients.ask('leave', { id });
  return { speech, clear };
}

/** The same by the LiveKit room of an avatar, over a plain publisher. */
async function roomLatencies(stage: Stage): Promise<Latencies> {
  const plain = await plainMs(stage);
  const room = await stage.begin(stage.avatar);
  const speech: number[] = [];
  const clear: number[] = [];
  for (let i = 0; i < TRIES; i++) {
    speech.push(withoutBuffer(await stage.probe.speechLatency(room, undefined, true)) - plain);
    await pause(500 + Math.random() * 200);
  }
  for (let i = 0; i < TRIES; i++) {
    clear.push(withoutBuffer(await stage.probe.clearLatency(room, true)));
    await pause(500);
  }
  await stage.leave(stage.avatar, room);
  return { speech, clear };
}

async function inBotrooms(stage: Stage, clients: Child, measures: Measures): Promise<void> {
  const controlPid = await stage.service.pid('control');
  const controlBefore = await pssMb(controlPid);
  const sessions: Opened[] = [];
  try {
    while (sessions.length < SESSIONS) {
      const session = await openSession(stage);
      sessions.push(session);
      await clients.ask('join', session);
    }
    await pause(3000);
    await Promise.all(
      sessions.map(({ id }) => clients.ask('speak', { id, seconds: SECONDS + 10 })),
    );
    // The first second is sent at once.
    await pause(3000);
    const watching = sessions.map(({ id }) =>
      clients.ask<ClientView>('watch', { id, seconds: SECONDS }),
    );
    measures.botrooms.push(await costDuring(stage, Promise.all(watching), controlBefore));
    measures.views.push(...(await Promise.all(watching)));
  } finally {
    await Promise.all(sessions.map(({ id }) => clients.ask('leave', { id })));
    await Promise.all(sessions.map((session) => endSession(stage, session)));
  }
}

async function inRooms(stage: Stage, measures: Measures): Promise<void> {
  const controlBefore = await pssMb(await stage.service.pid('control'));
  const rooms = await stage.beginAll(stage.avatar, SESSIONS);
  await Promise.all(rooms.map((room) => stage.probe.speak(room, SECONDS + 10)));
  const watching = rooms.map((room) => stage.probe.watch(room, SECONDS));
  measures.rooms.push(await costDuring(stage, Promise.all(watching), controlBefore));
  await stage.leaveAll(stage.avatar, rooms);
}

async function costDuring(
  { service }: Stage,
  measured: Promise<unknown>,
  controlBefore: number,
): Promise<Cost> {
  const [worker, control] = await Promise.all([service.pid('worker'), service.pid('control')]);
  const used = () => Promise.all([cpuSeconds(worker), cpuSeconds(control)]);
  const cpuBefore = await used();
  const from = machineMs();
  await measured;
  const seconds = (machineMs() - from) / 1000;
  const cpuAfter = await used();
  return {
    worker: (cpuAfter[0] - cpuBefore[0]) / seconds / SESSIONS,
    control: (cpuAfter[1] - cpuBefore[1]) / seconds / SESSIONS,
    workerMb: (await pssMb(worker)) / SESSIONS,
    controlMb: ((await pssMb(control)) - controlBefore) / SESSIONS,
  };
}

type Compared = { botroom: Latencies; floor: Latencies; room: Latencies };

function latencyRows({ botroom: botroomLatencies, floor, room }: Compared): Row[] {
  const echo = median(floor.speech);
  return [
    row({
      what: `added latency of speech in a botroom, ${TRIES} times`,
      unit: 'ms',
      values: botroomLatencies.speech.map((ms) => ms - echo),
      floor: room.speech,
      goal: { of: 'median', atMost: 30 },
      note: `over a relay that echoes, which takes ${echo.toFixed(1)} ms; floor: in a LiveKit room`,
    }),
    row({
      what: `interruption to silence in a botroom, ${TRIES} times`,
      unit: 'ms',
      values: botroomLatencies.clear,
      floor: room.clear,
      goal: { of: 'median', atMost: 60 },
      note: 'floor: in a LiveKit room',
    }),
  ];
}

const AT = `${SESSIONS} sessions`;

/** Goals for pictures are for those that are due. */
const viewRows = (views: ClientView[], dueRates: DueRate[]): Row[] => [
  row({
    what: `pictures a second at each client, ${AT}`,
    unit: 'fps',
    values: views.map(({ fps }) => fps),
    floor: dueRates.map(({ fps }) => fps),
    goal: { of: 'ratio', atLeast: 0.95 },
    note: 'floor: those that are due, drawn without a service',
  }),
  row({
    what: `longest time without a picture, ${AT}`,
    unit: 'ms',
    values: views.map(({ pictureGapMs }) => pictureGapMs),
    floor: dueRates.map(({ longestGapMs }) => longestGapMs),
    // By chance, a face may hold still for longer in a session than in those that were drawn.
    goal: { of: 'ratio', atMost: 1.3 },
    note: 'floor: while none is due',
  }),
  row({
    what: `longest time without sound, ${AT}`,
    unit: 'ms',
    values: views.map(({ soundGapMs }) => soundGapMs),
    goal: { of: 'worst', atMost: 120 },
  }),
];

function costRows({ botrooms, rooms }: Measures): Row[] {
  const cost = (of: keyof Cost) => ({
    values: botrooms.map((each) => each[of]),
    floor: rooms.map((each) => each[of]),
  });
  const note = 'floor: in LiveKit rooms';
  return [
    row({
      what: `processor of the worker for a session, ${AT}`,
      unit: 'core',
      ...cost('worker'),
      goal: { of: 'ratio', atMost: 1 },
      note: `${note}; encoding included in both`,
    }),
    row({
      what: `processor of the control plane for a session, ${AT}`,
      unit: 'core',
      ...cost('control'),
      note: `${note}; the media server's processor is not counted`,
    }),
    row({
      what: `memory (PSS) of the worker for a session, ${AT}`,
      unit: 'MB',
      ...cost('workerMb'),
      goal: { of: 'worst', atMost: 80 },
      note: `${note}; the process total divided by its sessions`,
      calmBy: 'always',
    }),
    row({
      what: `memory (PSS) that a session adds to the control plane, ${AT}`,
      unit: 'MB',
      ...cost('controlMb'),
      note,
      calmBy: 'always',
    }),
  ];
}

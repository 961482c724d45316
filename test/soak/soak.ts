/* One soak: sessions that speak, and disturbances by plan. */
import { delay, systemClock } from '#shared/clock.ts';
import { until } from '../support/until.ts';
import { clockJump, IdleSockets, load, malformed, nameFailure } from './disturbances.ts';
import { judgeMemory, judgeSockets, type Footprint } from './processes/footprint.ts';
import { LateFrames } from './late-frames.ts';
import { allOf, atMost, without, type Outcome } from './outcomes.ts';
import type { Plan } from './plan.ts';
import { Pulse } from './pulse.ts';
import { ResourceWatch } from './processes/resource-watch.ts';
import { Speakers } from './speakers.ts';
import { SoakStage } from './stage.ts';

export type Size = { sessions: number; perSecond: number; sockets: number };

/** Sessions open at the same time beside the speaking ones. */
const MORE_SESSIONS = 2;
const SETTLED_MS = 30_000;
/** The media engine keeps the connections of a room that was left for some seconds. */
const LEFT_MS = 20_000;

export async function soak(
  plan: Plan,
  size: Size,
  say: (line: string) => void,
): Promise<Outcome[]> {
  const stage = await SoakStage.open(size.sessions + MORE_SESSIONS, say);
  const run = new Soak(stage, size, say);
  try {
    return await run.perform(plan);
  } finally {
    await run.close();
    await stage.close();
  }
}

class Soak {
  readonly #stage: SoakStage;
  readonly #size: Size;
  readonly #say: (line: string) => void;
  readonly #speakers: Speakers;
  readonly #pulse: Pulse;
  readonly #lateFrames: LateFrames;
  readonly #resources: ResourceWatch;
  readonly #outcomes: Outcome[] = [];
  readonly #beganMs = performance.now();

  constructor(stage: SoakStage, size: Size, say: (line: string) => void) {
    this.#stage = stage;
    this.#size = size;
    this.#say = say;
    this.#speakers = new Speakers(stage);
    this.#pulse = new Pulse(stage.url);
    this.#lateFrames = new LateFrames(stage.url, stage.operatorKey);
    this.#resources = new ResourceWatch([
      ...stage.processes,
      { name: 'the media server', pid: stage.mediaServer.pid },
      { name: 'viewers and agents', pid: process.pid },
    ]);
  }

  async perform(plan: Plan): Promise<Outcome[]> {
    const { sessions, perSecond, sockets } = this.#size;
    const stage = this.#stage;
    const idleStart = await this.#footprints();
    await this.#attempt(`${sessions} sessions speak`, async () => {
      await this.#speakers.open(sessions);
      return [];
    });
    const openedMs = performance.now();
    const at = (dueMs: number) =>
      delay(systemClock, Math.max(0, openedMs + dueMs - performance.now()));

    await at(plan.measuredAtMs);
    const loadedStart = await this.#footprints();
    const idleSockets = IdleSockets.open(stage, sockets);
    const loadEnd = this.#attempt(`${perSecond} requests a second, ${sockets} idle sockets`, () =>
      load(stage, perSecond, plan.loadSeconds, (pid) =>
        this.#resources.add({ name: 'requests', pid }),
      ),
    );
    await at(plan.malformedAtMs);
    await this.#attempt('malformed requests and frames', () => malformed(stage));
    await at(plan.namesAtMs);
    await this.#attempt('names cannot be resolved', () => nameFailure(stage));
    await at(plan.clockAtMs);
    await this.#attempt('the clock jumps', () => clockJump(stage));
    await at(plan.calmAtMs);
    await this.#attempt('requests and idle sockets end', async () => (await idleSockets).end());
    await loadEnd;
    await delay(systemClock, LEFT_MS);
    await at(plan.endsAtMs);
    await this.#attempt('sessions end', async () => {
      const loadedEnd = await this.#footprints();
      const endMs = performance.now();
      await this.#speakers.stop();
      const speechOutcomes = await this.#speakers.outcomes();
      await this.#speakers.end();
      await delay(systemClock, LEFT_MS);
      const names = stage.processes.map(({ name }) => name);
      return [
        ...speechOutcomes,
        ...this.#lateFrames.outcomes(),
        ...this.#pulse.outcomes(),
        ...compared(names, [idleStart, loadedStart, loadedEnd, await this.#footprints()]),
        ...this.#resources.rises(names, openedMs + plan.measuredAtMs, endMs),
      ];
    });
    this.#say(this.#resources.processorText);
    this.#outcomes.push(stage.deaths);
    await this.#attempt('everything ends', () => remains(stage));
    return this.#outcomes;
  }

  async close(): Promise<void> {
    this.#resources.stop();
    this.#lateFrames.stop();
    await this.#pulse.stop();
    await this.#speakers.stop();
    await this.#speakers.leave();
  }

  /** A step that fails is a requirement that does not hold; the soak goes on. */
  async #attempt(event: string, step: () => Promise<Outcome[]>): Promise<void> {
    const seconds = Math.round((performance.now() - this.#beganMs) / 1_000);
    const utterances = `${this.#speakers.finished} utterances so far`;
    this.#say(`${String(seconds).padStart(5)} s  ${event}; ${utterances}`);
    try {
      this.#outcomes.push(...(await step()));
    } catch (error) {
      this.#outcomes.push(without(event, [error instanceof Error ? error.message : String(error)]));
    }
  }

  /** Null for a process that is gone. */
  #footprints(): Promise<(Footprint | null)[]> {
    return Promise.all(
      this.#stage.processes.map((process) => process.footprint().catch(() => null)),
    );
  }
}

/** `footprints`: of all processes, without sessions, with them, and later so again. */
function compared(names: string[], footprints: (Footprint | null)[][]): Outcome[] {
  return names.flatMap((name, i) => {
    const [idleStart, loadedStart, loadedEnd, idleEnd] = footprints.map((each) => each[i]);
    if (!idleStart || !loadedStart || !loadedEnd || !idleEnd)
      return [without(`memory and files of ${name} are measured`, ['it did not answer'])];
    return [...judgeMemory(name, loadedStart, loadedEnd), judgeSockets(name, idleStart, idleEnd)];
  });
}

/** After the last session: nothing is left, and the workers exit as they should. */
async function remains(stage: SoakStage): Promise<Outcome[]> {
  const leftovers = async () => {
    const { leases, sessions, rows, rooms, agrees } = await stage.audit();
    return leases + sessions + rows + (rooms ?? Number.NaN) + (agrees ? 0 : 1);
  };
  await until(async () => (await leftovers()) === 0, SETTLED_MS).catch(() => {});
  const count = await leftovers();
  const codes = await stage.stopWorkers();
  return [
    atMost('slots, sessions, rows and rooms that are left', count, 0),
    allOf('workers that exit with 0', codes.filter((code) => code === 0).length, codes.length),
    without('the control plane still answers', (await isUp(stage.url)) ? [] : ['no']),
  ];
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

import type { Finished } from './agent.ts';
import type { Say } from './agents.ts';
import { pause } from '../pause.ts';
import type { BenchRoom } from './rooms.ts';
import { viewerResult, type ViewerResult } from './viewers/viewer-result.ts';
import { Child, machineMs } from '../rpc.ts';
import type { Recording, TrackStats } from './viewers/viewer.ts';

export type Latency = { heardMs: number; bufferMs: number };
/**
 * Delay of the picture after the sound for each beep, and the additional delay of the sound in the
 * viewer's jitter buffers.
 */
export type Offsets = { offsetsMs: number[]; heldBackMs: number };

/** The agent's side of a measurement. */
type Speech = Omit<Say, 'id'>;

/** Half a minute of speech is sent in two seconds. */
const SENDING_MS = 20_000;
const SEEN_MS = 20_000;

/**
 * Agent and viewer of the measured rooms. All times are by the machine's clock, so they can be
 * compared.
 */
export class Probe {
  readonly #agents = new Child(new URL('./agents.ts', import.meta.url));
  readonly #viewers = new Child(new URL('./viewers/viewers.ts', import.meta.url));
  readonly ready = Promise.all([this.#agents.ready, this.#viewers.ready]);

  async join(room: BenchRoom, from = room.avatar): Promise<void> {
    await this.#agents.ask('join', room);
    await this.#viewers.ask('join', { ...room, from });
  }

  async leave({ id }: BenchRoom): Promise<void> {
    await this.#viewers.ask('leave', { id });
    await this.#agents.ask('leave', { id });
  }

  /** Rejects if none comes, so that the bench does not hang. */
  firstFrame({ id }: BenchRoom): Promise<number> {
    const frame = this.#viewers.ask<number>('nextFrame', { id });
    return Promise.race([frame, pause(SEEN_MS).then(() => nothingSeen(id))]);
  }

  /** From the agent's first byte until the viewer hears it. */
  async speechLatency(
    { id }: BenchRoom,
    pieceMs: number | undefined,
    hasFinished: boolean,
  ): Promise<Latency> {
    const finished = hasFinished ? this.#finished(id) : pause(1300);
    const latency = await this.#untilSound(id, 'say', { sound: 'babble', ms: 900, pieceMs });
    await finished;
    await this.#untilSilent(id);
    return latency;
  }

  /** The same sound on the agent's own track. */
  async plainLatency(room: BenchRoom, tries: number): Promise<Latency[]> {
    await this.join(room, 'agent');
    const latencies = await this.trackLatency(room, tries);
    await this.leave(room);
    return latencies;
  }

  /** From the agent's own track until the watched participant is heard. */
  async trackLatency({ id }: BenchRoom, tries: number): Promise<Latency[]> {
    await this.#agents.ask('openMouth', { id });
    await pause(3000);
    const latencies: Latency[] = [];
    for (let i = 0; i < tries; i++) {
      latencies.push(await this.#untilSound(id, 'sayPlainly', { sound: 'babble', ms: 900 }));
      await this.#untilSilent(id);
      await pause(500 + Math.random() * 200);
    }
    return latencies;
  }

  /** From the call until the last sound, with the error of the reported position. */
  async clearLatency(
    { id }: BenchRoom,
    hasFinished: boolean,
  ): Promise<Latency & { positionErrorMs: number | null }> {
    const onset = this.#untilLoud(id);
    await this.#agents.ask('say', { id, sound: 'babble', ms: 10_000 } satisfies Say);
    const heardAt = await onset;
    await this.#agents.ask('untilSent', { id });
    await pause(1500 + Math.random() * 100);
    const statsBefore = await this.#audioStats(id);
    const silent = this.#untilSilent(id);
    const finished = hasFinished ? this.#finished(id) : null;
    const calledAt = await this.#agents.ask<number>('clear', { id });
    const silentAt = await silent;
    const statsAfter = await this.#audioStats(id);
    const event = await finished;
    return {
      heardMs: silentAt - calledAt,
      bufferMs: bufferMs(statsBefore, statsAfter),
      positionErrorMs: event ? event.playback_position * 1000 - (silentAt - heardAt) : null,
    };
  }

  /**
   * Starts `seconds` of speech and returns after the initial burst of sending. An overloaded SDK
   * may lose a write; then the heard sound shows it. With `pieceMs` speech is sent in real time.
   */
  async speak({ id }: BenchRoom, seconds: number, pieceMs?: number): Promise<void> {
    const onset = this.#untilLoud(id);
    const speech = { id, sound: 'babble', ms: seconds * 1000, pieceMs } satisfies Say;
    await this.#agents.ask('say', speech);
    if (pieceMs) return void (await onset);
    await Promise.race([
      onset.then(() => this.#agents.ask('untilSent', { id })),
      pause(SENDING_MS),
    ]);
    await pause(5000);
  }

  /** Frames and sound at a viewer in `seconds` of speech. */
  async watch({ id }: BenchRoom, seconds: number): Promise<ViewerResult> {
    await this.#viewers.ask('forget', { id });
    const fromMs = machineMs();
    const statsBefore = await this.#audioStats(id);
    await pause(seconds * 1000);
    const statsAfter = await this.#audioStats(id);
    emittedBetween(statsBefore, statsAfter);
    const untilMs = machineMs();
    return viewerResult(await this.#recording(id), {
      fromMs,
      untilMs,
      concealedSamples: statsAfter.concealed - statsBefore.concealed,
    });
  }

  /** Frame times at a viewer until `happening` is over. */
  async framesDuring({ id }: BenchRoom, happening: Promise<void>): Promise<number[]> {
    await this.#viewers.ask('forget', { id });
    await happening;
    return (await this.#recording(id)).frames.map(({ atMs }) => atMs);
  }

  /**
   * Plays beeps; gives the time from each one's first sound to the first bright frame of a marker
   * picture.
   */
  async offsets({ id }: BenchRoom, count: number): Promise<Offsets> {
    await this.#viewers.ask('forget', { id });
    const statsBefore = await Promise.all([this.#audioStats(id), this.#videoStats(id)]);
    const ms = count * 1000;
    const startedMs = await this.#agents.ask<number>('say', {
      id,
      sound: 'beeps',
      ms,
    } satisfies Say);
    await pause(startedMs + ms + 1000 - machineMs());
    const statsAfter = await Promise.all([this.#audioStats(id), this.#videoStats(id)]);
    const { frames, sound } = await this.#recording(id);
    const lit = edges(frames.map(({ atMs, light }) => [atMs, light > 128] as const));
    const loud = edges(
      sound.map(({ atMs, firstLoudMs }) => [firstLoudMs ?? atMs, firstLoudMs !== null] as const),
    );
    const offsetsMs = loud.map((soundAt) =>
      lit
        .map((at) => at - soundAt)
        .reduce((least, off) => (Math.abs(off) < Math.abs(least) ? off : least), Infinity),
    );
    return {
      offsetsMs,
      heldBackMs: bufferMs(statsBefore[0], statsAfter[0]) - bufferMs(statsBefore[1], statsAfter[1]),
    };
  }

  kill(): void {
    this.#agents.kill();
    this.#viewers.kill();
  }

  async #untilSound(id: string, verb: 'say' | 'sayPlainly', speech: Speech): Promise<Latency> {
    const onset = this.#untilLoud(id);
    const statsBefore = await this.#audioStats(id);
    const startedMs = await this.#agents.ask<number>(verb, { id, ...speech });
    const heardAt = await onset;
    const statsAfter = await this.#audioStats(id);
    await this.#agents.ask('untilSent', { id });
    return { heardMs: heardAt - startedMs, bufferMs: bufferMs(statsBefore, statsAfter) };
  }

  #finished = (id: string) => this.#agents.ask<Finished>('finished', { id });
  #untilLoud = (id: string) => this.#viewers.ask<number>('untilLoud', { id });
  #untilSilent = (id: string) => this.#viewers.ask<number>('untilSilent', { id, ms: 300 });
  #audioStats = (id: string) => this.#viewers.ask<TrackStats>('trackStats', { id, kind: 'audio' });
  #videoStats = (id: string) => this.#viewers.ask<TrackStats>('trackStats', { id, kind: 'video' });
  #recording = (id: string) => this.#viewers.ask<Recording>('recording', { id });
}

/** No frame arrived from a room. */
export class NothingSeen extends Error {
  override readonly name = 'NothingSeen';
}

function nothingSeen(room: string): never {
  throw new NothingSeen(`no frame from ${room}`);
}

/** Mean delay of a sample or frame in the viewer's jitter buffer between two reports. */
function bufferMs(start: TrackStats, end: TrackStats): number {
  return ((end.delayS - start.delayS) / emittedBetween(start, end)) * 1000;
}

/** Throws if the viewer's counters are empty, because its other statistics would be meaningless. */
function emittedBetween(start: TrackStats, end: TrackStats): number {
  const emitted = end.emitted - start.emitted;
  if (emitted <= 0) throw new Error('a viewer has no statistics for its track');
  return emitted;
}

/** Times at which the value becomes true after 200 ms of false. */
function edges(series: (readonly [number, boolean])[]): number[] {
  const times: number[] = [];
  let lastTrue = -Infinity;
  for (const [at, isOn] of series) {
    if (isOn && at - lastTrue > 200) times.push(at);
    if (isOn) lastTrue = at;
  }
  return times;
}

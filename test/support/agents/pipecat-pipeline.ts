import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { VENDOR_ADAPTERS } from '../../../src/http/compat/vendor-adapters.ts';
import { AgentProcess, type AgentEvent } from '../processes/agent-process.ts';
import { RATE } from '../sound/rising-tone.ts';

/*
 * .ci/run makes the environment from test/clients/pipecat, in the folder that TROUPE_PYTHON_CLIENTS
 * names: 530 MB are too much for every `npm test`.
 */
export const folder = fileURLToPath(new URL('../../clients/pipecat', import.meta.url));
const environments = process.env['TROUPE_PYTHON_CLIENTS'];
export const python = `${environments}/pipecat/bin/python`;

export const isPipecatThere = environments !== undefined && existsSync(python);

/** Throws without the environment: spawning its missing program would end a bench's process. */
export function needPipecat(): void {
  if (!isPipecatThere) throw new Error('TROUPE_PYTHON_CLIENTS names no folder with `pipecat`');
}

/** Seconds of a rising tone, and of them when something happens. See pipeline.py. */
export type Step = { say: number; cut?: number; lose?: number; leave?: number };

type PipelineEvent = AgentEvent & { at: number };

/** Output of the video service; times in milliseconds since the epoch. */
export type PipelineOutput = {
  /** At `RATE`. */
  sound: Int16Array;
  /** With a checksum of each. */
  pictures: [at: number, sum: number][];
  /** Each with its seconds, and whether it is louder than noise. */
  sounds: [at: number, seconds: number, isLoud: boolean][];
};

type PipelineOptions = {
  /** Python that makes the service. */
  line: string;
  steps: Step[];
};

/** The documented line that makes a vendor's video service. */
export function documentedLine(vendor: string, address: string, key: string): string {
  const { docs } = VENDOR_ADAPTERS.find(({ word }) => word === vendor)!;
  const url = new URL(`/compat/${vendor}`, address).href;
  return docs
    .pipecat!.code.replace('{address}', url)
    .replace('{socket}', url.replace(/^http/, 'ws'))
    .replace('YOUR_KEY', key);
}

/** A Pipecat pipeline with an unmodified video service, in its own process. Close it. */
export class PipecatPipeline {
  readonly process: AgentProcess;
  readonly #out: string;

  static async start({ line, steps }: PipelineOptions): Promise<PipecatPipeline> {
    const out = await mkdtemp(path.join(tmpdir(), 'troupe-pipecat-'));
    return new PipecatPipeline(out, line, steps);
  }

  private constructor(out: string, line: string, steps: Step[]) {
    this.#out = out;
    this.process = new AgentProcess(python, ['pipeline.py'], {
      cwd: folder,
      env: {
        LINE: line,
        STEPS: JSON.stringify(steps),
        OUT: out,
      },
    });
  }

  next<More extends object = object>(type: string): Promise<PipelineEvent & More> {
    return this.process.next<More & { at: number }>(type);
  }

  /** Call after `left`. */
  async output(): Promise<PipelineOutput> {
    const [sound, events] = await Promise.all([
      readFile(path.join(this.#out, 'sound.pcm')),
      readFile(path.join(this.#out, 'events.json'), 'utf8'),
    ]);
    const { rate, ...media } = JSON.parse(events) as Omit<PipelineOutput, 'sound'> & {
      rate: number;
    };
    return { sound: atRate(new Int16Array(new Uint8Array(sound).buffer), rate), ...media };
  }

  async close(): Promise<void> {
    await this.process.stop();
    await rm(this.#out, { recursive: true });
  }
}

/** Between two samples, the sound is a line. */
function atRate(samples: Int16Array, rate: number): Int16Array {
  const ratio = rate / RATE;
  return Int16Array.from({ length: Math.floor(samples.length / ratio) }, (_, i) => {
    const at = Math.floor(i * ratio);
    const [sample, nextSample] = [samples[at]!, samples[at + 1] ?? samples[at]!];
    return Math.round(sample + (nextSample - sample) * (i * ratio - at));
  });
}

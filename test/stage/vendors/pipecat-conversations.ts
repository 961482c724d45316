/* Published Pipecat video services in real pipelines, against the whole service. */
import { newName } from '#shared/ids.ts';
import {
  documentedLine,
  PipecatPipeline,
  type PipelineOutput,
  type Step,
} from '../../support/agents/pipecat-pipeline.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { startWorker, type WorkerProcess } from '../../support/processes/worker-process.ts';
import { utterancesIn, type Utterance } from '../../support/sound/rising-tone.ts';
import { until } from '../../support/until.ts';
import { roomToken } from '../room-token.ts';

const AVATAR = 'ojin-avatar';
/** Tones that the agent says whole, in seconds, before it cuts one. */
export const WHOLE = [2, 3, 1.5];
export const CUT_S = 1.5;
export const CONVERSATION: Step[] = [
  ...WHOLE.map((say) => ({ say })),
  { say: 8, cut: CUT_S },
  { say: 1 },
  { say: 6, leave: 1 },
];
/** The client sends at most eight seconds ahead of the reported playback. */
export const IN_A_ROOM: Step[] = [{ say: 2 }, { say: 12 }, { say: 8, cut: CUT_S }, { say: 1 }];
/** Time for the last records of a dead worker to arrive. */
const IN_FLIGHT_MS = 200;

export type PipecatSession = {
  id: string;
  avatar_id: string;
  status: { type: string };
  end_reason?: string;
};

/** Conversations by one of its video services. Each is over when it resolves. */
export async function converse(service: RunningService, vendor: string, avatar: string) {
  await service.hasFreeSlot();
  const line = documentedLine(vendor, service.address, service.apiKey).replace('nora', avatar);
  return withPipeline(line, CONVERSATION, async (pipeline) => {
    await pipeline.next('seen');
    const { id } = await sessionOf(service, avatar);
    const { after: silentAfterMs } = await pipeline.next<{ after: number }>('cut');
    await pipeline.next('left');
    const find = async () =>
      (await (await service.api(`/v1/sessions/${id}`)).json()) as PipecatSession;
    await until(async () => (await find()).status.type === 'completed');
    const { sound } = await pipeline.output();
    // `silentAfterMs`: the pipeline's own measurement.
    return { utterances: utterancesIn(sound), silentAfterMs, session: await find() };
  });
}

/** Ojin's service sends the avatar to a LiveKit room, where a viewer hears it. */
export async function converseInARoom(service: RunningService) {
  await service.hasFreeSlot();
  const { url } = service.mediaServer;
  const room = newName('room');
  const viewer = new AvatarViewer(AVATAR);
  await viewer.join(url, await roomToken(service.mediaServer, room, 'viewer'));
  try {
    const webrtc = `webrtc=WebRTCSettings(provider="livekit", room_url="${url}", token="${await roomToken(service.mediaServer, room, AVATAR)}")`;
    const line = documentedLine('ojin', service.address, service.apiKey)
      .replace('nora', 'ines')
      .replace('config_id', `${webrtc}, config_id`);
    return await withPipeline(line, IN_A_ROOM, async (pipeline) => {
      await pipeline.next('seen');
      for (const _ of IN_A_ROOM) await pipeline.next('said');
      const { utterances } = viewer;
      await pipeline.next('left');
      return { utterances, errors: pipeline.process.remainingEvents('error') };
    });
  } finally {
    await viewer.leave();
  }
}

/**
 * The worker is killed in mid-speech, and a second one takes over. The service's own worker must
 * get no session. `backAfterMs`: until the next worker's first picture.
 */
export async function converseThroughAKill(
  service: RunningService,
  vendor: string,
  env: { WORKER_TOKEN: string; [name: string]: string },
): Promise<{ lastUtterance: Utterance; backAfterMs: number; errors: unknown[] }> {
  const line = documentedLine(vendor, service.address, service.apiKey);
  const workers: WorkerProcess[] = [await startWorker(service, env)];
  try {
    return await withPipeline(line, [{ say: 8, lose: 3 }, { say: 2 }], async (pipeline) => {
      await pipeline.next('seen');
      workers.push(await startWorker(service, env));
      await pipeline.next('heard');
      const killedAt = Date.now();
      await workers[0]!.kill();
      await pipeline.next('left');

      const output = await pipeline.output();
      const backAfterMs = faceAfter(output, killedAt + IN_FLIGHT_MS) - killedAt;
      const lastUtterance = utterancesIn(output.sound).at(-1)!;
      return { lastUtterance, backAfterMs, errors: pipeline.process.remainingEvents('error') };
    });
  } finally {
    for (const worker of workers) await worker.kill();
  }
}

/** The newest session with this avatar. */
async function sessionOf(service: RunningService, avatar: string): Promise<PipecatSession> {
  const answer = await service.api(`/v1/sessions?avatar_id=${avatar}&limit=1`);
  return ((await answer.json()) as { data: PipecatSession[] }).data[0]!;
}

async function withPipeline<Result>(
  line: string,
  steps: Step[],
  run: (pipeline: PipecatPipeline) => Promise<Result>,
): Promise<Result> {
  const pipeline = await PipecatPipeline.start({ line, steps });
  try {
    return await run(pipeline);
  } finally {
    await pipeline.close();
  }
}

/** When a picture came that was not the one before: Ojin's client repeats pictures. */
function faceAfter({ pictures }: PipelineOutput, at: number): number {
  const isNew = (i: number) => pictures[i]![1] !== pictures[i - 1]?.[1];
  const index = pictures.findIndex(([shownAt], i) => shownAt > at && isNew(i));
  return pictures[index]?.[0] ?? Infinity;
}

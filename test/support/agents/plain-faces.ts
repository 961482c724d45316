/*
 * An avatar worker whose faces are plain colours: the room, its tracks and the speech are real, and
 * a face costs a tenth of a drawn one.
 */
import { systemClock } from '#shared/clock.ts';
import { createLog } from '#shared/log.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import { Assignment } from '../../../workers/avatar/assignment.ts';
import { MediaServerTransport } from '../../../workers/avatar/transport/mediaserver/mediaserver.ts';
import { TrackShelf } from '../../../workers/avatar/transport/track-shelf.ts';
import { MemoryPerformer } from '../picture/memory-performer.ts';
import type { ServiceFacts } from '../../../src/start/messages/start-messages.ts';
import { SimulatedWorker } from '../simulated-worker.ts';

const SMALL = { width: 64, height: 64, fps: 5 };
const clock = systemClock;
const log = createLog({ name: 'plain-faces', level: 'silent' });

export class PlainFaces {
  readonly #worker: SimulatedWorker;
  readonly #tracks = new TrackShelf(clock);
  readonly #faces = new Map<string, Assignment>();

  private constructor(worker: SimulatedWorker) {
    this.#worker = worker;
  }

  static async join(
    { address }: Pick<ServiceFacts, 'address'>,
    token: string,
    { slots }: { slots: number },
  ): Promise<PlainFaces> {
    const avatars = builtInAvatars()
      .all()
      .map(({ id }) => id);
    const worker = new SimulatedWorker({ url: address, token, slots, avatars });
    const faces = new PlainFaces(await worker.join());
    void faces.#perform();
    void faces.#end();
    return faces;
  }

  async close(): Promise<void> {
    await this.#worker.close();
    await Promise.all([...this.#faces.values()].map((face) => face.close()));
  }

  async #perform(): Promise<void> {
    for (;;) {
      const assign = await this.#worker.next('assign').catch(() => null);
      if (!assign) return;
      void this.#show(assign);
    }
  }

  async #show(assign: Assign): Promise<void> {
    const { placement } = assign;
    const { sessionId } = placement;
    const face = new Assignment(
      { ...assign, video: SMALL },
      {
        clock,
        log,
        openTransport: ({ room, video }) =>
          new MediaServerTransport({ room, video, tracks: this.#tracks, clock, log }),
        openPerformer: async () => new MemoryPerformer(),
      },
    );
    this.#faces.set(sessionId, face);
    void face.started.then(() => this.#report(() => this.#worker.started(placement)));
    const reason = await face.ended;
    this.#faces.delete(sessionId);
    // The worker has reported an end by the control plane.
    if (this.#worker.performing.has(sessionId))
      await this.#report(() => this.#worker.ended(placement, reason));
  }

  async #end(): Promise<void> {
    for (;;) {
      const end = await this.#worker.next('end').catch(() => null);
      if (!end) return;
      this.#faces.get(end.placement.sessionId)?.end(end.reason);
    }
  }

  /** A report is lost when its worker closes. */
  async #report(report: () => Promise<void>): Promise<void> {
    await report().catch((error: unknown) => {
      if (this.#worker.isConnected) throw error;
    });
  }
}

/* A session with an agent that speaks, a viewer, and a receiver of events. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Quality } from '#protocol/qualities.ts';
import type { Agent, Finished } from '../../bench/rooms/agent.ts';
import { AVATAR, openAgentsRoom } from '../../stage/agents-room.ts';
import { HEARD_WITHIN_S } from '../../stage/tone-errors.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import type { RunningService } from '../../support/processes/service.ts';
import { risingTone } from '../../support/sound/rising-tone.ts';
import { expectThat } from '../expect-that.ts';

const RATE = 24_000;

/**
 * A change of quality as a receiver of webhooks learns of it. `counted`: by the metric at that
 * time.
 */
export type Change = { quality: Quality; counted: number };

/** The first one, of another type, only tests the receiver. */
type Event = { type: string; data: { quality: Quality } };

export class Scene {
  readonly viewer = new AvatarViewer(AVATAR);
  /** In order of arrival. */
  readonly changes: Change[] = [];
  readonly #service: RunningService;
  /** Ids of events. One whose answer was late is delivered again. */
  readonly #received = new Set<unknown>();
  readonly #closes: (() => unknown)[] = [];
  #session!: { id: string; agent: Agent };

  static async open(service: RunningService): Promise<Scene> {
    const scene = new Scene(service);
    await scene.#open();
    return scene;
  }

  private constructor(service: RunningService) {
    this.#service = service;
  }

  /** Says a tone. Rejects unless the viewer hears all of it. */
  async says(seconds: number): Promise<void> {
    const lostSeconds = await this.tellsLost(seconds);
    expectThat(
      lostSeconds < HEARD_WITHIN_S,
      `the viewer did not hear ${lostSeconds} s of ${seconds} s`,
    );
  }

  /** Says a tone. Resolves with the seconds of it that the viewer heard, however it was cut. */
  async hears(seconds: number): Promise<number> {
    await this.#say(seconds);
    return this.viewer.utterances.reduce((sum, utterance) => sum + utterance.seconds, 0);
  }

  /** Says a tone to its end. Resolves with the seconds of it that the viewer did not hear. */
  async tellsLost(seconds: number): Promise<number> {
    const { interrupted, playback_position: position } = await this.#say(seconds);
    const [utterance, ...laterUtterances] = this.viewer.utterances;
    const isSaid =
      !interrupted &&
      laterUtterances.length === 0 &&
      utterance !== undefined &&
      [position, utterance.endSecond].every((at) => Math.abs(at - seconds) < HEARD_WITHIN_S);
    const speech = JSON.stringify({
      interrupted,
      position,
      heard: utterance,
      more: laterUtterances,
    });
    expectThat(isSaid, `the viewer did not hear ${seconds} s to their end: ${speech}`);
    return Math.max(0, seconds - utterance.seconds);
  }

  /** Resolves when its end was reported and the viewer hears silence. */
  async #say(seconds: number): Promise<Finished> {
    const { viewer } = this;
    viewer.forget();
    const finished = this.#session.agent.nextFinished();
    await this.#session.agent.say(risingTone(RATE, seconds), RATE);
    const report = await finished;
    await viewer.hearsNothingFor(0.5);
    return report;
  }

  /** The qualities in the session's timeline, in order. */
  async timeline(): Promise<string[]> {
    const answer = await this.#service.api(`/v1/sessions/${this.#session.id}/timeline`);
    const { data } = (await answer.json()) as { data: { kind: string; quality?: string }[] };
    return data.flatMap(({ kind, quality }) => (kind === 'quality' && quality ? [quality] : []));
  }

  async isOngoing(): Promise<boolean> {
    const answer = await this.#service.api(`/v1/sessions/${this.#session.id}`);
    return ((await answer.json()) as { status: { type: string } }).status.type === 'ongoing';
  }

  /** Workers that show this quality. */
  workersAt = (quality: Quality): Promise<number> =>
    this.#metric(`troupe_worker_quality{pool="default",quality="${quality}"}`);

  async close(): Promise<void> {
    for (const close of this.#closes.toReversed()) await close();
  }

  async #open(): Promise<void> {
    const url = await this.#receive();
    await this.#service.make('/v1/webhooks', { url, events: ['session.quality_changed'] });
    this.#session = await openAgentsRoom(this.#service, this.viewer);
    this.#closes.push(
      () => this.#session.agent.leave(),
      () => this.viewer.leave(),
    );
    await this.viewer.sees(50);
  }

  async #receive(): Promise<string> {
    const receiver = createServer(async (request, response) => {
      const { type, data } = (await json(request)) as Event;
      const id = request.headers['webhook-id'];
      if (type === 'session.quality_changed' && !this.#received.has(id)) {
        this.#received.add(id);
        await this.#note(data.quality);
      }
      response.writeHead(204).end();
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    this.#closes.push(() => {
      receiver.close();
      receiver.closeAllConnections();
    });
    return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  }

  async #note(quality: Quality): Promise<void> {
    const name = `troupe_quality_changes_total{quality="${quality}"}`;
    const counted = await this.#metric(name).catch(() => Number.NaN);
    this.changes.push({ quality, counted });
  }

  async #metric(name: string): Promise<number> {
    const text = await (await fetch(new URL('/metrics', this.#service.address))).text();
    const line = text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length));
  }
}

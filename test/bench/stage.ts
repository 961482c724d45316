import { startService, type RunningService } from '../support/processes/service.ts';
import { pause } from './pause.ts';
import { machineMs, Child } from './rpc.ts';
import { Probe } from './rooms/probe.ts';
import { makeRoom, type BenchRoom } from './rooms/rooms.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

/** For workers added by a measurement. */
export const WORKER_TOKEN = 'worker token of the bench';

/** For measurements that use the admin API. */
export const ADMIN_PASSWORD = 'admin password of the bench';

/** The largest number that any measurement uses, so that only the machine is the limit. */
const SLOTS = 24;

const NORA = FIRST_AVATAR.id;

/** The service has no free slot. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/**
 * The participant under test: the avatar service, or the floor. `start` returns the time of the
 * request.
 */
export type Cast = {
  name: string;
  hasFinished: boolean;
  pid(): Promise<number>;
  start(room: BenchRoom): Promise<number>;
  stop(room: BenchRoom): Promise<void>;
};

/** The whole service, the floor and the probe, each in its own processes. */
export class Stage {
  readonly service: RunningService;
  readonly floorProcess = new Child(new URL('./rooms/floor.ts', import.meta.url));
  readonly probe = new Probe();
  pictureMb = 0;

  private constructor(service: RunningService) {
    this.service = service;
  }

  static async open(): Promise<Stage> {
    const stage = new Stage(
      await startService({
        env: { WORKER_TOKEN, TROUPE_ADMIN_PASSWORD: ADMIN_PASSWORD, WORKER_SLOTS: String(SLOTS) },
      }),
    );
    await Promise.all([stage.floorProcess.ready, stage.probe.ready]);
    stage.pictureMb = await stage.floorProcess.ask('prepare', {
      bundle: `workers/avatar/avatars/${FIRST_AVATAR.bundle}`,
    });
    return stage;
  }

  async room(): Promise<BenchRoom> {
    const room = await makeRoom(this.service.mediaServer);
    await this.probe.join(room);
    return room;
  }

  readonly floor: Cast = {
    name: 'floor',
    hasFinished: false,
    pid: async () => this.floorProcess.pid,
    start: async ({ url, avatarToken }) => {
      const at = machineMs();
      await this.floorProcess.ask('publish', { url, token: avatarToken });
      return at;
    },
    stop: async ({ avatarToken }) => this.floorProcess.ask('leave', { token: avatarToken }),
  };

  readonly #sessions = new Map<string, string>();

  readonly avatar: Cast = {
    name: 'avatar',
    hasFinished: true,
    pid: () => this.service.pid('worker'),
    start: async ({ id, url, avatarToken }) => {
      const at = machineMs();
      const reply = await this.service.api('/v1/sessions', {
        method: 'POST',
        body: { avatar_id: NORA, url, token: avatarToken },
      });
      const session = (await reply.json()) as { id: string };
      if (reply.status === 503) throw new Refused(JSON.stringify(session));
      if (reply.status !== 201)
        throw new Error(`POST responded with ${reply.status}: ${JSON.stringify(session)}`);
      this.#sessions.set(id, session.id);
      return at;
    },
    stop: async ({ id }) => {
      const session = this.#sessions.get(id);
      // A refused session needs no end.
      if (session) await this.service.api(`/v1/sessions/${session}/end`, { method: 'POST' });
    },
  };

  /** A room in which `cast` is visible. */
  async begin(cast: Cast): Promise<BenchRoom> {
    const [room] = await this.beginAll(cast, 1);
    return room!;
  }

  /** Rooms that are joined in sequence. */
  async beginAll(cast: Cast, count: number): Promise<BenchRoom[]> {
    const rooms: BenchRoom[] = [];
    try {
      while (rooms.length < count) {
        const room = await this.room();
        rooms.push(room);
        const firstFrame = this.probe.firstFrame(room);
        // Awaited after the start of the session.
        firstFrame.catch(() => {});
        await cast.start(room);
        await firstFrame;
      }
    } catch (error) {
      await this.leaveAll(cast, rooms);
      throw error;
    }
    await pause(3000);
    return rooms;
  }

  async leave(cast: Cast, room: BenchRoom): Promise<void> {
    await cast.stop(room);
    await this.probe.leave(room);
    await pause(300);
  }

  async leaveAll(cast: Cast, rooms: BenchRoom[]): Promise<void> {
    await Promise.all(rooms.map((room) => this.leave(cast, room)));
  }

  async close(): Promise<void> {
    this.probe.kill();
    this.floorProcess.kill();
    await this.service.stop();
  }
}

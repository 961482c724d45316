/*
 * Rooms on a real media server, in which assignments are performed in this process by the worker's
 * own parts. Journeys judge what happens there; benches of the same name measure how fast.
 */
import { systemClock, type Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import { createLog } from '#shared/log.ts';
import type { RoomSignal } from '#protocol/room-signals.ts';
import { Assignment } from '../../workers/avatar/assignment.ts';
import { BuiltInAvatars } from '../../workers/avatar/built-in-avatars.ts';
import { MediaServerTransport } from '../../workers/avatar/transport/mediaserver/mediaserver.ts';
import { TrackShelf } from '../../workers/avatar/transport/track-shelf.ts';
import {
  roomsOf,
  startMediaServer,
  type RunningMediaServer,
} from '../support/processes/media-server.ts';
import { roomToken, type Seat } from './room-token.ts';

export type Performance = {
  signals?: RoomSignal[];
  onRenewed?: (token: string) => void;
  onAttend?: (isListening: boolean) => void;
  /** How much of the agent's speech another worker had received when it died. */
  unanswered?: number[];
};

type Participant = {
  join(url: string, token: string, autoSubscribe?: boolean): Promise<unknown>;
  leave(): Promise<unknown>;
};

/** Call `empty` after each test and `close` after all. */
export class PerformedRooms {
  readonly server: RunningMediaServer;
  readonly #avatars: BuiltInAvatars;
  readonly #shelfClock: Clock;
  #tracks: TrackShelf;
  readonly #leaving: (() => Promise<unknown>)[] = [];

  /** `shelfClock` ages the tracks that ended sessions leave to the next ones. */
  static async open(shelfClock: Clock = systemClock): Promise<PerformedRooms> {
    const [server, avatars] = await Promise.all([
      startMediaServer(),
      BuiltInAvatars.open(systemClock),
    ]);
    return new PerformedRooms(server, avatars, shelfClock);
  }

  private constructor(server: RunningMediaServer, avatars: BuiltInAvatars, shelfClock: Clock) {
    this.server = server;
    this.#avatars = avatars;
    this.#shelfClock = shelfClock;
    this.#tracks = new TrackShelf(shelfClock);
  }

  get admin() {
    return roomsOf(this.server);
  }

  token(room: string, identity: string, seat: Seat = {}): Promise<string> {
    return roomToken(this.server, room, identity, {
      ...seat,
      grants: { canUpdateOwnMetadata: true },
    });
  }

  /** Starts an avatar with this token. */
  perform(
    avatarToken: string,
    { signals = [], onRenewed, onAttend, unanswered }: Performance = {},
  ): Assignment {
    const log = createLog({ name: 'test', level: 'silent' });
    const clock = systemClock;
    const tracks = this.#tracks;
    const assignment = new Assignment(
      {
        type: 'assign',
        placement: { sessionId: newName('session'), epoch: unanswered ? 2 : 1 },
        transport: 'mediaserver',
        room: { url: this.server.url, token: avatarToken },
        avatarId: this.#avatars.ids[0]!,
        video: { width: 512, height: 512, fps: 25 },
        signals,
        ...(unanswered && { unanswered }),
      },
      {
        clock,
        log,
        openTransport: ({ room, video }) =>
          new MediaServerTransport({ room, video, tracks, clock, log }),
        openPerformer: async ({ avatarId, placement, video }) => {
          const performer = await this.#avatars.performer(avatarId, {
            seed: placement.sessionId,
            scene: video,
          });
          return onAttend ? Object.assign(performer, { attend: onAttend }) : performer;
        },
        ...(onRenewed && { listener: { renewed: onRenewed } }),
      },
    );
    this.#leaving.push(() => assignment.close());
    return assignment;
  }

  /** Joins a room as a participant that leaves in `empty`. */
  async join<One extends Participant>(
    participant: One,
    token: string,
    { autoSubscribe }: { autoSubscribe?: boolean } = {},
  ): Promise<One> {
    await participant.join(this.server.url, token, autoSubscribe);
    this.#leaving.push(() => participant.leave());
    return participant;
  }

  /** Ends assignments and participants, the newest first. */
  async empty(): Promise<void> {
    for (const leave of this.#leaving.splice(0).toReversed()) await leave();
    this.#tracks = new TrackShelf(this.#shelfClock);
  }

  async close(): Promise<void> {
    await this.empty();
    await this.#avatars.close();
    await this.server.stop();
  }
}

/*
 * The rooms of this control plane, in memory. A token from before its start makes its room again,
 * so that client and worker find each other after a restart.
 *
 * Owns the rooms and their sockets. Close it after the worker gateway.
 */
import type { Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import type { Upgrade, UpgradeRouter } from '#shared/network/upgrade-router.ts';
import type { RefusedHandshakes } from '#shared/network/refused-handshakes.ts';
import { sessionOver, type BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import { botroomPath } from '#protocol/botroom/path.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { NewBotroom } from './botroom-rooms.ts';
import { Botroom } from './botroom.ts';
import type { Botrooms } from './botrooms.ts';
import type { ClientCodec } from './client-codec.ts';
import type { ForwardedHandshakes } from './forwarded-handshakes.ts';
import { Handshakes } from './handshakes.ts';
import { SeatTokens, type SeatClaims } from './tokens.ts';
import { noTraffic } from './traffic.ts';

export type BotroomNotices = {
  /** To all nodes: the session of the room is over. */
  botroom_ended: { id: string; reason: EndReason };
};

type Bus = {
  publish(
    node: null,
    type: 'botroom_ended',
    notice: BotroomNotices['botroom_ended'],
  ): Promise<void>;
  onNotice(
    type: 'botroom_ended',
    listener: (notice: BotroomNotices['botroom_ended']) => void,
  ): void;
};

export type RelayParts = {
  upgrades: UpgradeRouter;
  refused: RefusedHandshakes;
  forwarded: ForwardedHandshakes;
  /** Null for a control plane by itself, which relays every room. */
  bus: Bus | null;
  /** Address of this control plane for the others. */
  nodeUrl: () => string;
  secret: Buffer;
  clock: Clock;
  log: Log;
};

/** Rooms that are over, to tell late peers. */
const MAX_ENDED = 10_000;

export class Relay implements Botrooms {
  readonly traffic = noTraffic();
  readonly #parts: RelayParts;
  readonly #tokens: SeatTokens;
  readonly #handshakes: Handshakes;
  readonly #rooms = new Map<string, Botroom>();
  readonly #ended = new Set<string>();
  readonly #startedAt: number;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#tokens = new SeatTokens(parts.secret, parts.clock);
    this.#startedAt = parts.clock.now();
    this.#handshakes = new Handshakes({
      ...parts,
      tokens: this.#tokens,
      isElsewhere: (node) => parts.bus !== null && node !== parts.nodeUrl(),
      find: (claims) => this.#find(claims),
    });
    parts.bus?.onNotice('botroom_ended', ({ id, reason }) => this.#end(id, sessionOver(reason)));
  }

  get size(): number {
    return this.#rooms.size;
  }

  /** Connected clients and workers of a room. */
  peersOf(id: string): { clients: number; workers: number } {
    return this.#rooms.get(id)?.peers ?? { clients: 0, workers: 0 };
  }

  /** Bytes in memory for peers that read slowly. */
  get unsentBytes(): number {
    return [...this.#rooms.values()].reduce((sum, room) => sum + room.unsentBytes, 0);
  }

  async create(): Promise<NewBotroom> {
    const id = newName('botroom');
    const seat = { room: id, node: this.#parts.nodeUrl() };
    const [clientToken, avatarToken] = await Promise.all([
      this.#tokens.sign({ ...seat, seat: 'client' }),
      this.#tokens.sign({ ...seat, seat: 'avatar' }),
    ]);
    this.#add(id);
    return { id, path: botroomPath(id), clientToken, avatarToken };
  }

  async clientToken(token: string): Promise<string> {
    const { room, node } = await this.#tokens.readExpired(token);
    return this.#tokens.sign({ room, node, seat: 'client' });
  }

  async end({ token }: { token: string }, reason: EndReason): Promise<void> {
    const { room: id } = await this.#tokens.readExpired(token);
    if (!this.#end(id, sessionOver(reason)))
      await this.#parts.bus?.publish(null, 'botroom_ended', { id, reason });
  }

  async seatClient(token: string, upgrade: Upgrade, codec: ClientCodec): Promise<void> {
    this.#handshakes.seatClient(upgrade, await this.#tokens.readExpired(token), codec);
  }

  turnAway(upgrade: Upgrade, codec: ClientCodec, name: BotroomCloseName, message: string): void {
    this.#handshakes.accept(upgrade, (socket) =>
      this.#handshakes.turnAway(socket, name, codec, message),
    );
  }

  /** Closes all rooms with the reason. Resolves when every socket is closed. */
  async close(): Promise<void> {
    const closed = this.#handshakes.close();
    for (const room of this.#rooms.values()) room.close('service_stopping');
    this.#rooms.clear();
    await closed;
  }

  #find({ room: id, issuedAt }: SeatClaims): Botroom | BotroomCloseName {
    const room = this.#rooms.get(id);
    if (room) return room;
    if (this.#ended.has(id)) return 'session_over';
    return issuedAt < this.#startedAt ? this.#add(id) : 'no_room';
  }

  #add(id: string): Botroom {
    const { clock, log } = this.#parts;
    const onOver = (room: Botroom, message: string) => void this.#end(room.id, message);
    const room = new Botroom({ id, clock, log, traffic: this.traffic, onOver });
    this.#rooms.set(id, room);
    return room;
  }

  /** False for a room that is not here. */
  #end(id: string, message: string): boolean {
    this.#ended.add(id);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MAX_ENDED) break;
      this.#ended.delete(oldest);
    }
    const room = this.#rooms.get(id);
    this.#rooms.delete(id);
    room?.close('session_over', message);
    return room !== undefined;
  }
}

import type { EndReason } from '#protocol/end-reasons.ts';
import type { BotroomRooms, NewBotroom } from '../../../src/botrooms/botroom-rooms.ts';

/** A relay double: records the rooms that sessions create and end. */
export class FakeBotrooms implements BotroomRooms {
  readonly open = new Set<string>();
  /** In order. */
  readonly ended: { path: string; token: string; reason: EndReason }[] = [];
  isAnswering = true;
  #count = 0;

  async create(): Promise<NewBotroom> {
    if (!this.isAnswering) throw new Error('the relay is away');
    const id = `botroom-${(this.#count += 1)}`;
    const path = `/v1/botrooms/${id}`;
    this.open.add(path);
    return { id, path, clientToken: `client of ${id}`, avatarToken: `avatar of ${id}` };
  }

  async clientToken(token: string): Promise<string> {
    return token.replace('avatar', 'client');
  }

  async end({ path, token }: { path: string; token: string }, reason: EndReason): Promise<void> {
    if (!this.isAnswering) throw new Error('the relay is away');
    this.open.delete(path);
    this.ended.push({ path, token, reason });
  }
}

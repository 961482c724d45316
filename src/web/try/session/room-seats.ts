/*
 * The session's LiveKit room. The page joins it twice, as in real use: as the agent that speaks,
 * and as a viewer. Owns and closes both.
 */
import { ConnectionError, DisconnectReason, Room, RoomEvent } from 'livekit-client';
import { PUBLISH_ON_BEHALF } from '#protocol/room-terms.ts';
import { AvatarView } from '../../call/picture/avatar-view.ts';
import { MediaServerGone } from '../notices.ts';
import type { OpenedSession } from '../service.ts';
import { AgentSeat } from './agent-seat.ts';
import type { SeatEvents, Seats, Stage } from './seats.ts';
import type { Speak } from './utterance-line.ts';

export class RoomSeats implements Seats {
  readonly #events: SeatEvents;
  readonly #agent: AgentSeat;
  readonly #viewer = new Room();
  readonly #view: AvatarView;
  #url = '';
  #wasConnected = false;

  constructor(stage: Stage, speak: Speak, events: SeatEvents) {
    this.#events = events;
    this.#agent = new AgentSeat(speak, events.dispatch);
    this.#view = new AvatarView({
      room: this.#viewer,
      // Only avatars speak on behalf of an agent.
      isAvatar: ({ attributes }) => PUBLISH_ON_BEHALF in attributes,
      elements: stage,
      level: stage.level,
      events: {
        ...events,
        onSoundBlocked: (isBlocked) => events.dispatch({ type: 'sound_blocked', isBlocked }),
      },
    });
  }

  async join({ room }: OpenedSession): Promise<void> {
    if (!room) throw new Error('the session has no room');
    this.#url = room.url;
    this.#watchConnection(this.#viewer);
    this.#watchConnection(this.#agent.room);
    try {
      await Promise.all([
        this.#agent.join(room.url, room.agent_token),
        this.#viewer.connect(room.url, room.viewer_token),
      ]);
    } catch (cause) {
      if (cause instanceof ConnectionError) throw new MediaServerGone(room.url, false, { cause });
      throw cause;
    }
    this.#wasConnected = true;
  }

  say(...args: Parameters<Seats['say']>): void {
    this.#agent.say(...args);
  }

  voice(...args: Parameters<Seats['voice']>): ReturnType<Seats['voice']> {
    return this.#agent.voice(...args);
  }

  get isTextOnly(): boolean {
    return this.#agent.hasSentStreams;
  }

  get isSeen(): boolean {
    return this.#view.isSeen;
  }

  async stop(): Promise<void> {
    this.#view.hush();
    await this.#agent.stop();
  }

  async allowSound(): Promise<void> {
    await this.#view.allowSound();
  }

  async close(): Promise<void> {
    this.#view.close();
    await Promise.allSettled([this.#agent.close(), this.#viewer.disconnect()]);
  }

  #watchConnection(room: Room): void {
    const { dispatch, onLost } = this.#events;
    room.on(RoomEvent.Reconnecting, () => dispatch({ type: 'presence', presence: 'rejoining' }));
    room.on(RoomEvent.Reconnected, () =>
      dispatch({ type: 'presence', presence: this.isSeen ? 'here' : 'away' }),
    );
    room.on(RoomEvent.Disconnected, (reason) => {
      if (reason === DisconnectReason.CLIENT_INITIATED) return;
      onLost(new MediaServerGone(this.#url, this.#wasConnected));
    });
  }
}

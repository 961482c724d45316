/*
 * The session's LiveKit room. The page joins it twice, as in real use: as the agent that speaks, and
 * as a viewer. Owns and closes both.
 */
import { ConnectionError, DisconnectReason, RoomEvent, type Room } from 'livekit-client';
import { Hush } from '../../call/sound/hush.ts';
import { MediaServerGone } from '../notices.ts';
import type { OpenedSession } from '../service.ts';
import { AgentSeat } from './agent-seat.ts';
import type { SeatEvents, Seats, Stage } from './seats.ts';
import type { Speak } from './utterance-line.ts';
import { ViewerSeat } from './viewer-seat.ts';

export class RoomSeats implements Seats {
  readonly #stage: Stage;
  readonly #events: SeatEvents;
  readonly #agent: AgentSeat;
  readonly #viewer: ViewerSeat;
  readonly #hush: Hush;
  #url = '';

  constructor(stage: Stage, speak: Speak, events: SeatEvents) {
    this.#stage = stage;
    this.#events = events;
    this.#hush = new Hush(stage.audio, stage.level);
    this.#agent = new AgentSeat(speak, events.dispatch);
    this.#viewer = new ViewerSeat(stage.video, stage.audio, {
      ...events,
      onSound: (track) => stage.level.listen(track),
      onSoundBlocked: (isBlocked) => events.dispatch({ type: 'sound_blocked', isBlocked }),
    });
  }

  async join({ room }: OpenedSession): Promise<void> {
    if (!room) throw new Error('the session has no room');
    this.#url = room.url;
    this.#watchConnection(this.#viewer.room);
    this.#watchConnection(this.#agent.room);
    try {
      await Promise.all([
        this.#agent.join(room.url, room.agent_token),
        this.#viewer.join(room.url, room.viewer_token),
      ]);
    } catch (cause) {
      if (cause instanceof ConnectionError) throw new MediaServerGone(room.url, { cause });
      throw cause;
    }
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
    return this.#viewer.isSeen;
  }

  async stop(): Promise<void> {
    this.#hush.begin();
    await this.#agent.stop();
  }

  async allowSound(): Promise<void> {
    await Promise.all([this.#viewer.allowSound(), this.#stage.level.wake()]);
  }

  async close(): Promise<void> {
    this.#hush.end();
    await Promise.allSettled([this.#agent.close(), this.#viewer.close()]);
  }

  #watchConnection(room: Room): void {
    const { dispatch, onLost } = this.#events;
    room.on(RoomEvent.Reconnecting, () => dispatch({ type: 'presence', presence: 'rejoining' }));
    room.on(RoomEvent.Reconnected, () =>
      dispatch({ type: 'presence', presence: this.isSeen ? 'here' : 'away' }),
    );
    room.on(RoomEvent.Disconnected, (reason) => {
      if (reason !== DisconnectReason.CLIENT_INITIATED) onLost(new MediaServerGone(this.#url));
    });
  }
}

/*
 * One session from the click to its end. Joins the room twice, as in real use: as the agent that
 * speaks, and as a viewer. Owns and closes both. An avatar waits some seconds for a lost agent, so
 * the page ends the session explicitly, which frees the slot at once.
 */
import { ConnectionError, DisconnectReason, Room, RoomEvent } from 'livekit-client';
import { AgentSeat, type Speak } from './agent-seat.ts';
import { PictureDeadline } from './picture-deadline.ts';
import { MediaServerGone, NoPicture, noticeOf, noticeOfEnding, type Notice } from '../notices.ts';
import type { Avatar, OpenedSession, Service } from '../service.ts';
import { Hush } from '../../sound/hush.ts';
import type { SoundLevel } from '../../sound/sound-level.ts';
import type { TryEvent } from './try-state.ts';
import { ViewerSeat } from './viewer-seat.ts';

/** The first picture usually takes half a second; a worker that just started needs longer. */
const PICTURE_WITHIN_MS = 20_000;
/** The service itself waits 15 s for another slot when a worker is lost. */
const BACK_WITHIN_MS = 25_000;

type Stage = { video: HTMLVideoElement; audio: HTMLAudioElement; level: SoundLevel };

export class LiveSession {
  readonly #service: Service;
  readonly #dispatch: (event: TryEvent) => void;
  readonly #agent: AgentSeat;
  readonly #viewer: ViewerSeat;
  readonly #stage: Stage;
  readonly #hush: Hush;
  readonly #beganAt = performance.now();
  #id: string | null = null;
  #mediaServerUrl = '';
  #isOver = false;
  readonly #deadline = new PictureDeadline({
    isSeen: () => this.#viewer.isSeen,
    hasEnded: () => this.#closeIfEnded(),
    onLate: () => void this.#endedFor(new NoPicture('no picture arrived')),
  });

  constructor(service: Service, stage: Stage, speak: Speak, dispatch: (event: TryEvent) => void) {
    this.#service = service;
    this.#stage = stage;
    this.#hush = new Hush(stage.audio, stage.level);
    this.#dispatch = (event) => {
      if (!this.#isOver) dispatch(event);
    };
    this.#agent = new AgentSeat(speak, this.#dispatch);
    this.#viewer = new ViewerSeat(stage.video, stage.audio, {
      onPicture: () => this.#onPicture(),
      onSound: (track) => stage.level.listen(track),
      onGone: () => this.#onGone(),
      onSoundBlocked: (isBlocked) => this.#dispatch({ type: 'sound_blocked', isBlocked }),
    });
  }

  async open(avatar: Avatar): Promise<void> {
    try {
      const opened = await this.#service.openSession(avatar.id);
      this.#id = opened.id;
      this.#dispatch({ type: 'opened', sessionId: opened.id });
      if (this.#isOver) return await this.#service.endSession(opened.id);
      await this.#join(opened);
      if (this.#isOver) return await this.#closeSeats();
      this.#dispatch({ type: 'joined' });
      // The picture may already be there: the agent's seat may join last.
      this.#deadline.expect(PICTURE_WITHIN_MS);
    } catch (error) {
      this.#fail(error);
    }
  }

  say(...args: Parameters<AgentSeat['say']>): void {
    this.#agent.say(...args);
  }

  get hasSentStreams(): boolean {
    return this.#agent.hasSentStreams;
  }

  voice(...args: Parameters<AgentSeat['voice']>): ReturnType<AgentSeat['voice']> {
    return this.#agent.voice(...args);
  }

  async stop(): Promise<void> {
    this.#hush.begin();
    await this.#agent.stop().catch((error: unknown) => this.#fail(error));
  }

  async allowSound(): Promise<void> {
    await Promise.all([this.#viewer.allowSound(), this.#stage.level.wake()]);
  }

  /** Leaves without an event. A page being unloaded has no time to wait between the steps. */
  async close(isPageLeft = false): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const seats = this.#closeSeats();
    // Ending the session closes the room, which a connected client reports as an error.
    if (!isPageLeft) await seats;
    const ended = this.#id && this.#service.endSession(this.#id).catch(() => {});
    await Promise.all([ended, seats]);
  }

  async #join({ room }: OpenedSession): Promise<void> {
    this.#mediaServerUrl = room.url;
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

  #watchConnection(room: Room): void {
    room.on(RoomEvent.Reconnecting, () =>
      this.#dispatch({ type: 'presence', presence: 'rejoining' }),
    );
    room.on(RoomEvent.Reconnected, () =>
      this.#dispatch({ type: 'presence', presence: this.#viewer.isSeen ? 'here' : 'away' }),
    );
    room.on(RoomEvent.Disconnected, (reason) => {
      if (this.#isOver || reason === DisconnectReason.CLIENT_INITIATED) return;
      void this.#endedFor(new MediaServerGone(this.#mediaServerUrl));
    });
  }

  #onPicture(): void {
    this.#deadline.cancel();
    this.#dispatch({ type: 'picture', afterMs: performance.now() - this.#beganAt });
  }

  #onGone(): void {
    this.#dispatch({ type: 'presence', presence: 'away' });
    this.#deadline.expect(BACK_WITHIN_MS);
  }

  async #closeIfEnded(): Promise<boolean> {
    const ending = await this.#ending();
    if (ending) this.#fail(null, ending);
    return ending !== null;
  }

  /** Prefers the service's end reason over the local `error`. */
  async #endedFor(error: Error): Promise<void> {
    try {
      const ending = await this.#ending();
      this.#fail(error, ending ?? undefined);
    } catch (problem) {
      this.#fail(problem);
    }
  }

  async #ending(): Promise<Notice | null> {
    if (!this.#id) return null;
    const { status, end_reason: reason } = await this.#service.session(this.#id);
    return status.type === 'completed' ? noticeOfEnding(reason) : null;
  }

  #fail(error: unknown, notice = noticeOf(error)): void {
    if (this.#isOver) return;
    if (error) console.warn('session failed', error);
    this.#dispatch({ type: 'over', notice });
    void this.close();
  }

  async #closeSeats(): Promise<void> {
    this.#deadline.cancel();
    this.#hush.end();
    await Promise.allSettled([this.#agent.close(), this.#viewer.close()]);
  }
}

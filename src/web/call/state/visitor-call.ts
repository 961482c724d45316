/*
 * The call of one visitor: its state, and everything a visitor can do. The room page and the web
 * component show it. Owns the live call, which it closes.
 */
import type { Room } from 'livekit-client';
import { Refusal } from '../../api/answers.ts';
import type { MediaElements } from '../picture/avatar-view.ts';
import type { CallRating, ChatService } from '../connection/chat-service.ts';
import type { JoinRequest } from '../connection/join-request.ts';
import type { LiveCall } from '../connection/live-call.ts';
import { whenHears } from '../connection/when-hears.ts';
import { refusalOf } from '../texts/refusals.ts';
import {
  advance,
  initialState,
  isInCall,
  looksAtCamera,
  type DeviceKind,
  type CallEvent,
  type CallState,
} from './call-state.ts';
import { TypedTexts } from '../chat/typed-texts.ts';
import type { SavedCall } from '../connection/saved-call.ts';

type Parts = {
  chat: ChatService;
  saved: SavedCall;
  elements: () => MediaElements;
  /** Loads the media client, which is larger than everything else. */
  loadMedia: () => Promise<typeof LiveCall>;
};

export class VisitorCall {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  #state = initialState;
  #live: LiveCall | null = null;
  #texts = this.#newTexts();
  /** Ends the wait for an agent whose speech recognition is being installed. */
  #waitsToBeHeard = new AbortController();
  /** Changes when a call begins or is given up, so that media loaded for another one is ignored. */
  #attempt = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get state(): CallState {
    return this.#state;
  }

  get room(): Room | null {
    return this.#live?.room ?? null;
  }

  /** The id of the call that this tab is in. */
  get id(): string | null {
    return this.#parts.saved.read()?.call.id ?? null;
  }

  /** Returns a function that ends the subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Loads the media client ahead of a call. If that fails, the call says so. */
  readonly prepare = (): void => {
    this.#parts.loadMedia().catch(() => {});
  };

  /** Loads the agent, and returns to a call of this tab, or to its place in line. */
  readonly look = async (): Promise<void> => {
    const { chat, saved } = this.#parts;
    if (saved.read() ?? saved.readPlace()) this.prepare();
    try {
      const agent = await chat.agent();
      this.#dispatch({ type: 'found', agent });
      if (!agent.hears && agent.hearsSoon) void this.#awaitHearing();
      const call = saved.read();
      if (call) return await (await this.#begin())?.comeBack(call);
      const place = saved.readPlace();
      if (place) await this.join({ ...place, camera: false });
    } catch (error) {
      if (!(error instanceof Refusal && [401, 404].includes(error.status)))
        console.warn('agent not loaded', error);
      this.#dispatch({ type: 'refused', ...refusalOf(error) });
    }
  };

  readonly join = async (request: JoinRequest): Promise<void> => {
    this.#dispatch({ type: 'joins' });
    try {
      await (await this.#begin())?.join(request);
    } catch (error) {
      console.warn('media client not loaded', error);
      this.#dispatch({ type: 'refused', ...refusalOf(error) });
    }
  };

  readonly leave = async (): Promise<void> => {
    if (this.#live) return this.#live.leave();
    this.#attempt += 1;
    if (isInCall(this.#state.phase)) this.#dispatch({ type: 'given_up' });
  };

  /** A text that is typed before the agent reads waits for it. Ignored outside calls. */
  readonly say = (text: string): void => {
    if (isInCall(this.#state.phase)) this.#texts.add(text);
  };

  readonly turn = (kind: DeviceKind, isOn: boolean): void => void this.#live?.turn(kind, isOn);

  /** Must be called from a click handler, or browsers block the audio. */
  readonly allowSound = (): void => void this.#live?.allowSound();

  readonly again = (): void => this.#dispatch({ type: 'again' });

  /** Rates the call that is over. */
  readonly rate = async (rating: CallRating): Promise<void> => {
    const { phase } = this.#state;
    if (phase.type === 'over' && phase.ratable) await this.#parts.chat.rate(phase.ratable, rating);
  };

  /** The service keeps the call open for a while. */
  async close(): Promise<void> {
    this.#attempt += 1;
    this.#waitsToBeHeard.abort();
    this.#listeners.clear();
    await this.#live?.close();
  }

  async #awaitHearing(): Promise<void> {
    this.#waitsToBeHeard.abort();
    this.#waitsToBeHeard = new AbortController();
    const agent = await whenHears(this.#parts.chat, this.#waitsToBeHeard.signal);
    if (agent) this.#dispatch({ type: 'agent', agent });
  }

  /** Null if it was given up in the meantime. */
  async #begin(): Promise<LiveCall | null> {
    const { chat, saved, elements, loadMedia } = this.#parts;
    void this.#live?.close();
    this.#live = null;
    this.#texts = this.#newTexts();
    this.#attempt += 1;
    const attempt = this.#attempt;
    const Live = await loadMedia();
    if (attempt !== this.#attempt) return null;
    const live = new Live({
      chat,
      saved,
      elements: elements(),
      sees: looksAtCamera(this.#state),
      texts: this.#texts,
      dispatch: (event) => this.#dispatch(event),
    });
    this.#live = live;
    this.#notify();
    return live;
  }

  #newTexts(): TypedTexts {
    const texts: TypedTexts = new TypedTexts((line) => {
      if (texts === this.#texts && isInCall(this.#state.phase))
        this.#dispatch({ type: 'line', line });
    });
    return texts;
  }

  #dispatch(event: CallEvent): void {
    this.#state = advance(this.#state, event);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

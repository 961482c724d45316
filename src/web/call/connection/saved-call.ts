import type { PageStorage } from '../../look/page-storage.ts';
import type { CallCredentials } from './chat-service.ts';
import type { JoinRequest } from './join-request.ts';

/** `microphone`: whether it was on, so that a reload does not unmute anyone. */
export type Saved = { call: CallCredentials; microphone: boolean };

/** Lets a tab keep its place in line over a reload, which leaves the camera off. */
export type SavedPlace = Omit<JoinRequest, 'camera'> & { ticket: string };

/** A tab that is restored later does not call by itself. */
const PLACE_LASTS_MS = 60_000;

/** Stores the call or the place in line for the life of the tab: a reload returns to it. */
export class SavedCall {
  readonly #name: string;
  readonly #placeName: string;
  readonly #storage: PageStorage;

  constructor(agentId: string, storage: PageStorage) {
    this.#name = `troupe-call-${agentId}`;
    this.#placeName = `troupe-line-${agentId}`;
    this.#storage = storage;
  }

  read(): Saved | null {
    const text = this.#storage.getItem(this.#name);
    return text === null ? null : (JSON.parse(text) as Saved);
  }

  write(saved: Saved): void {
    this.#storage.setItem(this.#name, JSON.stringify(saved));
  }

  forget(): void {
    this.#storage.removeItem(this.#name);
  }

  readPlace(): SavedPlace | null {
    const text = this.#storage.getItem(this.#placeName);
    if (text === null) return null;
    const { savedAt, ...place } = JSON.parse(text) as SavedPlace & { savedAt: number };
    return Date.now() - savedAt < PLACE_LASTS_MS ? place : null;
  }

  writePlace(place: SavedPlace): void {
    this.#storage.setItem(this.#placeName, JSON.stringify({ ...place, savedAt: Date.now() }));
  }

  forgetPlace(): void {
    this.#storage.removeItem(this.#placeName);
  }
}

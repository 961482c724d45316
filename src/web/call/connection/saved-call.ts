import type { PageStorage } from '../../look/page-storage.ts';
import type { CallCredentials } from './chat-service.ts';

/** `microphone`: whether it was on, so that a reload does not unmute anyone. */
export type Saved = { call: CallCredentials; microphone: boolean };

/** Stores the call for the life of the tab, so that a reload returns to it. */
export class SavedCall {
  readonly #name: string;
  readonly #storage: PageStorage;

  constructor(agentId: string, storage: PageStorage) {
    this.#name = `troupe-call-${agentId}`;
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
}

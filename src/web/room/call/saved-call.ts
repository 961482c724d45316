import type { OwnCall } from './chat.ts';

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** `microphone`: whether it was on; nobody shall be heard again because a page was reloaded. */
export type Saved = { call: OwnCall; microphone: boolean };

/** As long as this tab lives: a reload comes back into the same call. */
export class SavedCall {
  readonly #name: string;
  readonly #kept: Kept;

  constructor(agentId: string, kept: Kept) {
    this.#name = `troupe-call-${agentId}`;
    this.#kept = kept;
  }

  read(): Saved | null {
    const text = this.#kept.getItem(this.#name);
    return text === null ? null : (JSON.parse(text) as Saved);
  }

  write(saved: Saved): void {
    this.#kept.setItem(this.#name, JSON.stringify(saved));
  }

  forget(): void {
    this.#kept.removeItem(this.#name);
  }
}

/*
 * Sends typed texts to the agent in order, each once. Holds them back while no agent listens, also
 * before the call has a connection.
 */
import type { Line } from '../state/call-state.ts';

type Send = (text: string) => Promise<unknown>;

export class TypedTexts {
  /** Called when a text is typed, and when it is sent after a wait. */
  readonly #onLine: (line: Line) => void;
  readonly #waiting: { id: string; text: string }[] = [];
  #send: Send | null = null;
  #count = 0;
  #isSending = false;

  constructor(onLine: (line: Line) => void) {
    this.#onLine = onLine;
  }

  add(text: string): void {
    const typed = { id: `typed ${(this.#count += 1)}`, text };
    this.#waiting.push(typed);
    this.#show(typed, this.#send === null);
    void this.#flush();
  }

  /** `send`: to the agent that reads the texts. Null: there is none. */
  readBy(send: Send | null): void {
    this.#send = send;
    void this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let typed = this.#waiting[0]; typed && this.#send; typed = this.#waiting[0]) {
        await this.#send(typed.text);
        this.#waiting.shift();
        this.#show(typed, false);
      }
    } catch (error) {
      // The connection broke. `readBy` retries.
      this.#send = null;
      console.warn('text not sent yet', error);
    } finally {
      this.#isSending = false;
    }
  }

  #show({ id, text }: { id: string; text: string }, isWaiting: boolean): void {
    this.#onLine({ id, sender: 'user', text, isFinal: !isWaiting, isWaiting });
  }
}

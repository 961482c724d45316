/** Sends typed texts to the agent in order, each once. Holds them back while no agent listens. */
export class TypedTexts {
  readonly #send: (text: string) => Promise<unknown>;
  readonly #waiting: string[] = [];
  #isRead = false;
  #isSending = false;

  constructor(send: (text: string) => Promise<unknown>) {
    this.#send = send;
  }

  add(text: string): void {
    this.#waiting.push(text);
    void this.#flush();
  }

  /** Sets whether an agent reads the texts. */
  read(isRead: boolean): void {
    this.#isRead = isRead;
    void this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let text = this.#next(); text !== undefined; text = this.#next()) {
        await this.#send(text);
        this.#waiting.shift();
      }
    } catch (error) {
      // The connection broke. `read(true)` retries.
      this.#isRead = false;
      console.warn('text not sent yet', error);
    } finally {
      this.#isSending = false;
    }
  }

  #next(): string | undefined {
    return this.#isRead ? this.#waiting[0] : undefined;
  }
}

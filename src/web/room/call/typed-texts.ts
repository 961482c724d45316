/** What a person writes, on its way to the agent: in order, each once, and not while there is nobody to read it. */
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

  /** Whether somebody reads them now: to be said as often as one likes. */
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
      // The line broke: it is there again when somebody reads again.
      this.#isRead = false;
      console.warn('not sent yet', error);
    } finally {
      this.#isSending = false;
    }
  }

  #next(): string | undefined {
    return this.#isRead ? this.#waiting[0] : undefined;
  }
}

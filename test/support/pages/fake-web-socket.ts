/** A browser's socket. The test decides when it opens, receives and closes. */
export class FakeWebSocket extends EventTarget {
  static readonly OPEN = 1;
  /** Created since the list was emptied. */
  static readonly instances: FakeWebSocket[] = [];

  readonly url: string;
  readonly protocols: string[];
  readonly messages: Uint8Array[] = [];
  readyState = 0;

  constructor(url: string, protocols: string[]) {
    super();
    this.url = url;
    this.protocols = protocols;
    FakeWebSocket.instances.push(this);
  }

  send(message: Uint8Array): void {
    if (this.readyState === 0) throw new Error('the socket is not open yet');
    this.messages.push(message);
  }

  close(): void {
    this.end(1005);
  }

  opens(): void {
    this.readyState = FakeWebSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  receive(message: Uint8Array): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: message }));
  }

  /** 1006: the connection broke, or was refused. */
  end(code: number, reason = ''): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }
}

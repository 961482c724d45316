import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Handler = (near: Socket) => void;
type Pair = readonly [near: Socket, far: Socket];

/** A proxy to a websocket server that can cut, hold and refuse connections. Close it. */
export class SignalProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Set<Pair>();
  readonly #refused: string[] = [];
  readonly #pass: Handler;
  /** For the next connections. */
  #handlers: Handler[] = [];

  static async open(to: string): Promise<SignalProxy> {
    const proxy = new SignalProxy(new URL(to));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor({ hostname, port }: URL) {
    this.#pass = (near) => {
      // Refusals match the head of a request.
      near.once('data', (head) => {
        if (this.#refused.some((text) => head.includes(text)))
          return near.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
        const far = connect(Number(port), hostname);
        this.#keep(far);
        const pair = [near, far] as const;
        this.#pairs.add(pair);
        near.once('close', () => this.#pairs.delete(pair));
        far.write(head);
        near.pipe(far).pipe(near);
      });
    };
    this.#server = createServer((near) => {
      this.#keep(near);
      const handle = this.#handlers.shift() ?? this.#pass;
      handle(near);
    }).listen(0, '127.0.0.1');
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when a client asks for a full reconnect. Call the result to let it through. */
  cut(): Promise<() => void> {
    return new Promise((resolve) => {
      this.#handlers = [(near) => near.destroy(), (near) => resolve(() => this.#pass(near))];
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  /** Existing connections carry nothing until the result is called. New ones pass. */
  hold(): () => void {
    const pairs = [...this.#pairs];
    for (const [near, far] of pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
    return () => {
      for (const [near, far] of pairs) near.pipe(far).pipe(near);
    };
  }

  /** Answers 401 to requests whose head contains this text. */
  refuse(text: string): void {
    this.#refused.push(text);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

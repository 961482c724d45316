import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Door = (near: Socket) => void;
type Pair = readonly [near: Socket, far: Socket];

/** Between clients and a server of websockets: connections can be cut so that each is made anew, held, or refused. Close it. */
export class SignalProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #pairs = new Set<Pair>();
  readonly #refused: string[] = [];
  readonly #pass: Door;
  /** For those that come next. */
  #doors: Door[] = [];

  static async open(to: string): Promise<SignalProxy> {
    const proxy = new SignalProxy(new URL(to));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor({ hostname, port }: URL) {
    this.#pass = (near) => {
      // What is refused stands in the head of a request.
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
      const door = this.#doors.shift() ?? this.#pass;
      door(near);
    }).listen(0, '127.0.0.1');
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when the client, that was not let go on where it was, asks to begin anew: it may once what is returned is called. */
  cut(): Promise<() => void> {
    return new Promise((resolve) => {
      this.#doors = [(near) => near.destroy(), (near) => resolve(() => this.#pass(near))];
      for (const socket of this.#sockets) socket.destroy();
    });
  }

  /** As a network that breaks: nothing comes through the connections there are, and none is closed, until the result is called. New ones pass. */
  hold(): () => void {
    const held = [...this.#pairs];
    for (const [near, far] of held) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
    return () => {
      for (const [near, far] of held) near.pipe(far).pipe(near);
    };
  }

  /** From now on requests with this text in their head are answered 401. */
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

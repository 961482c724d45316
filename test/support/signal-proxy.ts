import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

type Door = (near: Socket) => void;

/** Between a client and a media server: signals can be cut so that no connection is resumed, and each is made anew. Close it. */
export class SignalProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
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
      const far = connect(Number(port), hostname);
      this.#keep(far);
      near.pipe(far).pipe(near);
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

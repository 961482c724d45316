import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Between a client and a media server: signals can be cut so that no connection is resumed, and each is made anew. Close it. */
export class SignalProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  static async open(to: string): Promise<SignalProxy> {
    const proxy = new SignalProxy(new URL(to));
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor({ hostname, port }: URL) {
    this.#server = createServer((near) => {
      this.#keep(near);
      near.once('data', (request) => {
        // What the SDK asks for when it wants to go on where it was.
        if (request.includes('reconnect=1')) return void near.destroy();
        const far = connect(Number(port), hostname);
        this.#keep(far);
        far.write(request);
        near.pipe(far).pipe(near);
      });
    }).listen(0, '127.0.0.1');
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.#server.close();
    this.cut();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
  }
}

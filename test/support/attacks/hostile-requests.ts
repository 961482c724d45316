/* Requests that cost a service far more than their bytes are worth. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const MIB = 1024 ** 2;

const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
const part = (boundary: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`;
const longBoundary = 'x'.repeat(70);

/** Multipart forms of 20 MiB that make a parser work. */
export const hostileForms = [
  {
    what: 'tiny parts behind a decoy boundary',
    type: 'multipart/form-data; boundary=decoy; boundary=real',
    payload: () => repeated(part('real'), 20 * MIB),
  },
  {
    what: 'tiny parts behind a decoy parameter',
    type: 'multipart/form-data; xboundary=decoy; boundary=real',
    payload: () => repeated(part('real'), 20 * MIB),
  },
  {
    what: 'tiny parts',
    type: 'multipart/form-data; boundary=real',
    payload: () => repeated(part('real'), 20 * MIB),
  },
  {
    what: 'a part of headers alone',
    type: 'multipart/form-data; boundary=real',
    payload: () => `--real\r\n${repeated('a: b\r\n', 20 * MIB)}`,
  },
  {
    what: 'beginnings of the boundary',
    type: `multipart/form-data; boundary=${longBoundary}`,
    payload: () =>
      `--${longBoundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${repeated(`\r\n--${longBoundary.slice(1)}`, 20 * MIB)}`,
  },
];

const list = (item: string, bytes: number) =>
  Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join();

/** A JSON object of about `bytes`, of fields that no route knows. */
export const unknownFields = (bytes: number): string =>
  `{${Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"f${index}":1`).join()}}`;

/** Kinds of JSON whose values are many. */
export const hostileJson = [
  { what: 'unknown fields', bodyOf: unknownFields },
  {
    what: 'nested lists',
    bodyOf: (bytes: number) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  },
  { what: 'a long list', bodyOf: (bytes: number) => `[${list('0', bytes)}]` },
  { what: 'a long list of objects', bodyOf: (bytes: number) => `[${list('{}', bytes)}]` },
  { what: 'lists in a known field', bodyOf: (bytes: number) => `{"name":[${list('[]', bytes)}]}` },
];

/**
 * A client that sends `text` and reads nothing. Resolves when the service takes no more. The caller
 * destroys the socket.
 */
export function sendUnread(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  return new Promise((resolve) => {
    socket.once('close', () => resolve(socket));
    socket.write(text, () => resolve(socket));
  });
}

/** Clients of their own connections that send the same request at the same moment. */
export class Crowd {
  readonly #sockets: Socket[] = [];
  readonly #request: string;

  static async open(url: string, count: number, request: string): Promise<Crowd> {
    const crowd = new Crowd(request);
    while (crowd.#sockets.length < count) {
      const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
      crowd.#sockets.push(socket);
      await once(socket, 'connect');
    }
    return crowd;
  }

  private constructor(request: string) {
    this.#request = request;
  }

  /** The status of each answer, such as 200. */
  ask(): Promise<number[]> {
    return Promise.all(
      this.#sockets.map(async (socket) => {
        socket.write(this.#request);
        const [bytes] = (await once(socket, 'data')) as [Buffer];
        return Number(bytes.toString('latin1').split(' ')[1]);
      }),
    );
  }

  leave(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

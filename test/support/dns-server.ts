import { createSocket, type Socket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { Resolve } from '#shared/network/address-policy.ts';

/** A name server that answers each query with the name's next address; the last one stays. */
export class DnsServer {
  readonly #socket: Socket;
  readonly #names = new Map<string, string[]>();
  readonly queries: string[] = [];

  static async open(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (query, from) => {
      socket.send(this.#answer(query), from.port, from.address);
    });
  }

  /** IPv4 addresses of the name, one for each query. */
  set(name: string, ...addresses: string[]): void {
    this.#names.set(name, addresses);
  }

  /** Asks this server, without any cache. */
  get resolve(): Resolve {
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${this.#socket.address().port}`]);
    return (hostname, _options, answer) =>
      resolver.resolve4(hostname, (error, addresses) =>
        answer(error, error ? [] : addresses.map((address) => ({ address, family: 4 }))),
      );
  }

  close(): void {
    this.#socket.close();
  }

  #answer(query: Buffer): Buffer {
    const question = query.subarray(HEADER_BYTES, endOfQuestion(query));
    const name = nameIn(question);
    this.queries.push(name);
    const addresses = this.#names.get(name) ?? [];
    const address = addresses.length > 1 ? addresses.shift() : addresses[0];
    const header = Buffer.alloc(HEADER_BYTES);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(address === undefined ? NO_SUCH_NAME : ANSWERED, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(address === undefined ? 0 : 1, 6);
    return Buffer.concat([header, question, ...(address === undefined ? [] : [recordOf(address)])]);
  }
}

const HEADER_BYTES = 12;
const ANSWERED = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** The name, its end, type and class. */
function endOfQuestion(query: Buffer): number {
  let at = HEADER_BYTES;
  while (query[at]) at += query[at]! + 1;
  return at + 5;
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 0; question[at]; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return labels.join('.').toLowerCase();
}

/** An A record that may not be cached, for the name in the question. */
const recordOf = (address: string): Buffer =>
  Buffer.from([
    0xc0,
    HEADER_BYTES,
    0,
    1,
    0,
    1,
    0,
    0,
    0,
    0,
    0,
    4,
    ...address.split('.').map(Number),
  ]);

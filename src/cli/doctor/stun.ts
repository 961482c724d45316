import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

/*
 * Asks a STUN or TURN server which address it sees (RFC 8489): any of them answers a binding
 * request, without credentials.
 */
export type StunServer = { host: string; port: number; transport: 'udp' | 'tcp' | 'tls' };

const MAGIC = 0x2112_a442;
const BINDING = 0x0001;
const BINDING_ANSWER = 0x0101;
const HEADER_BYTES = 20;
/** UDP may lose a request. */
const RESEND_MS = 500;

/**
 * `turn:host[:port][?transport=udp|tcp]`, `turns:host[:port]` or `stun:host[:port]`. Null for
 * anything else.
 */
export function parseStunServer(text: string): StunServer | null {
  const [, scheme, host, port, transport] =
    /^(turns?|stun):(?:\/\/)?([^:?/]+)(?::(\d+))?(?:\?transport=(udp|tcp))?$/.exec(text) ?? [];
  if (!scheme || !host) return null;
  if (scheme === 'turns') return { host, port: Number(port ?? 5349), transport: 'tls' };
  return { host, port: Number(port ?? 3478), transport: transport === 'tcp' ? 'tcp' : 'udp' };
}

/** Resolves when the server has answered. Rejects with the reason why not. */
export function askStun(server: StunServer, timeoutMs: number): Promise<void> {
  const id = randomBytes(12);
  return server.transport === 'udp'
    ? askByUdp(server, id, timeoutMs)
    : askByTcp(server, id, timeoutMs);
}

function request(id: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(BINDING, 0);
  header.writeUInt32BE(MAGIC, 4);
  id.copy(header, 8);
  return header;
}

const isAnswer = (bytes: Buffer, id: Buffer): boolean =>
  bytes.length >= HEADER_BYTES &&
  bytes.readUInt16BE(0) === BINDING_ANSWER &&
  bytes.subarray(8, HEADER_BYTES).equals(id);

function askByUdp({ host, port }: StunServer, id: Buffer, timeoutMs: number): Promise<void> {
  const socket = createSocket('udp4');
  const send = () => socket.send(request(id), port, host);
  return new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.on('message', (bytes) => isAnswer(bytes, id) && resolve());
    const resendTimer = setInterval(send, RESEND_MS);
    const late = setTimeout(() => reject(new Error('no answer by UDP')), timeoutMs);
    socket.once('close', () => {
      clearInterval(resendTimer);
      clearTimeout(late);
    });
    send();
  }).finally(() => socket.close());
}

function askByTcp(
  { host, port, transport }: StunServer,
  id: Buffer,
  timeoutMs: number,
): Promise<void> {
  const socket =
    transport === 'tls' ? connectTls({ host, port, servername: host }) : connect({ host, port });
  return new Promise<void>((resolve, reject) => {
    const bytes: Buffer[] = [];
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (part) => {
      bytes.push(part);
      if (isAnswer(Buffer.concat(bytes), id)) resolve();
    });
    socket.setTimeout(timeoutMs, () => reject(new Error('no answer in time')));
    socket.once(transport === 'tls' ? 'secureConnect' : 'connect', () => socket.write(request(id)));
  }).finally(() => socket.destroy());
}

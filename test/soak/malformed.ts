/* Bytes that no client should send. The server must close each connection. */
import { connect } from 'node:net';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import { MAX_MESSAGE_BYTES } from '#protocol/worker/worker-messages.ts';
import { systemClock } from '#shared/clock.ts';

type Target = { url: string; workerToken: string };

/** `isSocket`: sent after the handshake of a worker. */
type Malformed = { what: string; isSocket: boolean; bytes: Buffer };

const CLOSED_WITHIN_MS = 5_000;

const FINAL = 0x80;
const TEXT = 0x1;
const PING = 0x9;
const CLOSE = 0x8;

/** A masked frame: a mask of zeros changes nothing. */
function frame(firstByte: number, payload: Buffer, isMasked = true): Buffer {
  const length = Buffer.alloc(9);
  length[0] = (isMasked ? 0x80 : 0) | 127;
  length.writeBigUInt64BE(BigInt(payload.length), 1);
  return Buffer.concat([Buffer.of(firstByte), length, Buffer.alloc(isMasked ? 4 : 0), payload]);
}

const text = (words: string): Buffer => frame(FINAL | TEXT, Buffer.from(words));

const FRAMES: Record<string, Buffer> = {
  'no JSON': text('no JSON'),
  'a message of no type': text('{}'),
  'an unknown message': text('{"type":"sing","loud":true}'),
  'a registration without its fields': text('{"type":"register"}'),
  'a message that is too long': text('x'.repeat(MAX_MESSAGE_BYTES + 1)),
  'text that is not UTF-8': frame(FINAL | TEXT, Buffer.of(0xff, 0xfe)),
  'reserved bits': frame(0xf0 | TEXT, Buffer.from('{}')),
  'an unknown opcode': frame(FINAL | 0xb, Buffer.from('{}')),
  'a frame without a mask': frame(FINAL | TEXT, Buffer.from('{}'), false),
  'a ping that is too long': frame(FINAL | PING, Buffer.alloc(200)),
  'a continuation of nothing': frame(FINAL, Buffer.from('{}')),
  'a length without end': Buffer.concat([Buffer.of(FINAL | TEXT, 0xff), Buffer.alloc(8, 0xff)]),
};

const REQUESTS: Record<string, string> = {
  'no HTTP': 'no HTTP at all\r\n\r\n',
  'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a header that is too long': `GET / HTTP/1.1\r\nhost: soak\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
  'a negative length': 'POST /v1/sessions HTTP/1.1\r\nhost: soak\r\ncontent-length: -1\r\n\r\n',
  'a wrong chunk':
    'POST /v1/sessions HTTP/1.1\r\nhost: soak\r\ntransfer-encoding: chunked\r\n\r\nwrong\r\n',
  'a zero byte in the path': 'GET /\0 HTTP/1.1\r\nhost: soak\r\n\r\n',
};

export const MALFORMED: Malformed[] = [
  ...Object.entries(FRAMES).map(([what, bytes]) => ({ what, isSocket: true, bytes })),
  ...Object.entries(REQUESTS).map(([what, words]) => ({
    what,
    isSocket: false,
    bytes: Buffer.from(words, 'latin1'),
  })),
];

/** Whether the server closes the connection in time, or asks for its end. */
export function sendMalformed(
  target: Target,
  { isSocket, bytes }: Malformed,
  withinMs = CLOSED_WITHIN_MS,
): Promise<boolean> {
  const { hostname, port } = new URL(target.url);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve) => {
    const cancel = systemClock.after(withinMs, () => end(false));
    const end = (isClosed: boolean) => {
      cancel();
      socket.destroy();
      resolve(isClosed);
    };
    socket.on('error', () => {});
    socket.once('close', () => end(true));
    socket.once('connect', () => socket.write(isSocket ? handshake(target.workerToken) : bytes));
    socket.on('data', (answer: Buffer) => {
      if (!isSocket) return;
      if (answer.toString('latin1').startsWith('HTTP/1.1 101 ')) socket.write(bytes);
      else if (answer[0] === (FINAL | CLOSE)) end(true);
    });
  });
}

const handshake = (token: string): string =>
  [
    `GET ${GATEWAY_PATH} HTTP/1.1`,
    'host: soak',
    'connection: Upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${Buffer.alloc(16).toString('base64')}`,
    `authorization: Bearer ${token}`,
    '\r\n',
  ].join('\r\n');

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { refuseUpgrade, type Upgrade } from '#shared/network/upgrade-router.ts';
import type { ForwardedHandshakes } from './forwarded-handshakes.ts';

const ANSWER_MS = 5_000;
/** For the rest of a closed connection to reach a slow peer. */
const REST_MS = 5_000;

type ForwarderParts = {
  forwarded: Pick<ForwardedHandshakes, 'headersOf'>;
  clock: Clock;
  log: Log;
};

/** Passes sockets on to the control plane that has their room, byte by byte. */
export class Forwarder {
  readonly #forwarded: Pick<ForwardedHandshakes, 'headersOf'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #streams = new Set<{ destroy(): void }>();

  constructor({ forwarded, clock, log }: ForwarderParts) {
    this.#forwarded = forwarded;
    this.#clock = clock;
    this.#log = log;
  }

  /** `node`: address of the other control plane, from a token that we signed. */
  forward({ request, stream, head }: Upgrade, node: string): void {
    const { protocol, hostname, port, host } = new URL(node);
    const outgoing = (protocol === 'https:' ? httpsRequest : httpRequest)({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: request.url,
      headers: { ...this.#forwarded.headersOf(request), host },
      // A connection of its own.
      agent: false,
    });
    const cancel = this.#clock.after(ANSWER_MS, () => outgoing.destroy(new Error('no answer')));
    this.#keep(outgoing);
    outgoing.once('close', cancel);
    stream.once('close', () => outgoing.destroy());
    outgoing.on('error', (error) => {
      this.#log.warn({ err: error, node }, 'botroom socket not forwarded');
      if (!stream.destroyed) refuseUpgrade(stream, '502 Bad Gateway');
    });
    outgoing.once('response', (response) => {
      response.resume();
      refuseUpgrade(stream, `${response.statusCode} ${response.statusMessage}`);
    });
    outgoing.once('upgrade', (response, upstream: Socket, upstreamHead) => {
      cancel();
      stream.write(answerOf(response));
      stream.write(upstreamHead);
      upstream.write(head);
      this.#join(upstream, stream as Socket);
    });
    outgoing.end();
  }

  /** Breaks all connections. */
  close(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #join(upstream: Socket, stream: Socket): void {
    this.#keep(stream);
    this.#keep(upstream);
    for (const [one, other] of [
      [upstream, stream],
      [stream, upstream],
    ] as const) {
      one.setNoDelay(true);
      one.setTimeout(0);
      one.on('error', () => one.destroy());
      // The last bytes of a closed connection are the reason.
      one.once('close', () => this.#finish(other));
      one.pipe(other);
    }
  }

  #finish(stream: Socket): void {
    if (stream.destroyed) return;
    stream.once(
      'close',
      this.#clock.after(REST_MS, () => stream.destroy()),
    );
    stream.destroySoon();
  }

  #keep(stream: { destroy(): void; once(event: 'close', run: () => void): unknown }): void {
    this.#streams.add(stream);
    stream.once('close', () => this.#streams.delete(stream));
  }
}

/** The other control plane's answer to the handshake, as it came. */
function answerOf({ rawHeaders, statusCode, statusMessage }: IncomingMessage): string {
  const lines: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2)
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`);
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`;
}

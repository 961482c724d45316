/*
 * `fetch` for the models of an agent. An agent's owner may have chosen the URL, so it applies the
 * address policy to each connection, which goes to the address that was checked. It follows no
 * redirects: they would take the key and what people said to another server.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { AddressRefused, createOutgoing, type Resolve } from '#shared/network/address-policy.ts';
import type { CallBrief } from '#protocol/call-brief.ts';

type Endpoint = Pick<NonNullable<CallBrief['stt']>, 'networks'>;

/** Idle connections close after this long. */
const IDLE_MS = 30_000;
/** `Response` throws for a higher one. */
const MAX_STATUS = 599;
/** Statuses of responses that may not have a body. */
const BODILESS = new Set([204, 205, 304]);

/** Reuses the connections of one call. */
export function endpointFetch({ networks }: Endpoint, resolve?: Resolve): typeof fetch {
  const policy = networks === undefined ? null : createOutgoing(networks, resolve);
  const options = { keepAlive: true, timeout: IDLE_MS };
  const agents = { 'http:': new http.Agent(options), 'https:': new https.Agent(options) };

  return async (input, init) => {
    const webRequest = new Request(input, init);
    const { protocol } = new URL(webRequest.url);
    // Literal addresses are not looked up.
    const refused = policy?.checkUrl(webRequest.url, 'anywhere');
    if (refused) throw new AddressRefused(refused);
    const body = Buffer.from(await webRequest.arrayBuffer());

    const answer = await new Promise<IncomingMessage>((answered, failed) => {
      const { request } = protocol === 'https:' ? https : http;
      const nodeRequest = request(webRequest.url, {
        method: webRequest.method,
        headers: { ...Object.fromEntries(webRequest.headers), 'content-length': body.length },
        agent: agents[protocol === 'https:' ? 'https:' : 'http:'],
        ...(policy && { lookup: policy.lookup }),
        signal: webRequest.signal,
      });
      nodeRequest.on('response', answered);
      nodeRequest.on('error', (error) =>
        failed(webRequest.signal.aborted ? webRequest.signal.reason : error),
      );
      // Node reports no error if the server switches protocols.
      nodeRequest.on('close', () => failed(new Error('connection closed without a response')));
      nodeRequest.end(body);
    });
    return toResponse(answer);
  };
}

function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer;
  if (status > MAX_STATUS) {
    answer.destroy();
    throw new Error(`invalid status ${status}`);
  }
  const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  if (BODILESS.has(status)) answer.resume();
  const body = BODILESS.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  return new Response(body, { status, statusText, headers });
}

import http from 'node:http';
import https from 'node:https';
import { AddressRefused, type Outgoing } from './outgoing.ts';

export type PostRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
};

/** Posts once and answers the status. Throws when no answer came. */
export type Post = (request: PostRequest) => Promise<number>;

/** Nobody needs what a receiver says beside its status; a little of it is let through, so that it ends in good order. */
const MAX_ANSWER_BYTES = 4096;

/** Follows no redirects, and keeps no connection: each one is made to an address that was checked for it. */
export const httpPost =
  (outgoing: Outgoing): Post =>
  ({ url, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const refused = outgoing.checkUrl(url);
      if (refused) return reject(new AddressRefused(refused));

      const { request } = url.startsWith('https:') ? https : http;
      const length = Buffer.byteLength(body);
      const sent = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': length },
        agent: false,
        lookup: outgoing.lookup,
        signal,
      });
      sent.on('error', reject);
      // A connection may end without any answer, and without an error: when the receiver wants to change the protocol.
      sent.on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
      sent.on('response', (response) => {
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > MAX_ANSWER_BYTES) response.destroy();
        });
        // However it ends, the status was said.
        response.on('error', () => {});
        response.on('close', () => resolve(response.statusCode ?? 0));
      });
      sent.end(body);
    });

/** Why no answer came, for the webhook's owner. */
export function explain(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return explanations[code] ?? `The request failed${code ? ` (${code})` : ''}.`;
}

const explanations: Record<string, string> = {
  ENOTFOUND: 'The name is not known.',
  EAI_AGAIN: 'The name could not be looked up.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without an answer.',
  EPIPE: 'The connection was closed without an answer.',
};

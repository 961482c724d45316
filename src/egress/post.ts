import http from 'node:http';
import https from 'node:https';
import { AddressRefused, type Outgoing } from '#shared/network/address-policy.ts';

type PostRequest = {
  url: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
};

/** Posts once and resolves with the status. Throws if there is no response. */
export type Post = (request: PostRequest) => Promise<number>;

/** Only the status is used. Short bodies are read so that the connection closes cleanly. */
const MAX_ANSWER_BYTES = 4096;

/** No redirects and no keep-alive, so each connection goes to a checked address. */
export const httpPost =
  (outgoing: Outgoing): Post =>
  ({ url, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const refused = outgoing.checkUrl(url);
      if (refused) return reject(new AddressRefused(refused));

      const { request } = url.startsWith('https:') ? https : http;
      const length = Buffer.byteLength(body);
      const clientRequest = request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': length },
        agent: false,
        lookup: outgoing.lookup,
        signal,
      });
      clientRequest.on('error', reject);
      // A connection can close without a response or an error, for example on a protocol upgrade.
      clientRequest.on('close', () =>
        reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })),
      );
      clientRequest.on('response', (response) => {
        let read = 0;
        response.on('data', (chunk: Buffer) => {
          read += chunk.length;
          if (read > MAX_ANSWER_BYTES) response.destroy();
        });
        // The status is known, however the body ends.
        response.on('error', () => {});
        response.on('close', () => resolve(response.statusCode ?? 0));
      });
      clientRequest.end(body);
    });

/** Why there was no response, as a text for the webhook's owner. */
export function explain(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return explanations[code] ?? `The request failed${code ? ` (${code})` : ''}.`;
}

const explanations: Record<string, string> = {
  ENOTFOUND: 'The host name was not found.',
  EAI_AGAIN: 'The host name could not be resolved.',
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed without an answer.',
  EPIPE: 'The connection was closed without an answer.',
};

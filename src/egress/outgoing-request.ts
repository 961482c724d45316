import http from 'node:http';
import https from 'node:https';
import { AddressRefused, type Outgoing } from '#shared/network/address-policy.ts';

export type OutgoingRequest = {
  url: string;
  /** Default: POST. A GET has an empty body. */
  method?: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string | Uint8Array;
  signal: AbortSignal;
  /** Longer responses are cut off. */
  maxBytes: number;
};

export type OutgoingAnswer = { status: number; contentType: string; body: Buffer };

/** Sends once. Allows plain HTTP. Throws if there is no response. */
export type RequestOutgoing = (request: OutgoingRequest) => Promise<OutgoingAnswer>;

/**
 * No redirects and no keep-alive, so each connection goes to a checked address. `outgoing` null:
 * any address.
 */
export const requestOutgoing =
  (outgoing: Pick<Outgoing, 'checkUrl' | 'lookup'> | null): RequestOutgoing =>
  ({ url, method = 'POST', headers, body, signal, maxBytes }) =>
    new Promise((resolve, reject) => {
      const refused = outgoing?.checkUrl(url, 'anywhere');
      if (refused) return reject(new AddressRefused(refused));

      const { request } = url.startsWith('https:') ? https : http;
      const clientRequest = request(url, {
        method,
        headers:
          method === 'GET' ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        ...(outgoing && { lookup: outgoing.lookup }),
        signal,
      });
      clientRequest.on('error', reject);
      // A connection can close without a response or an error.
      clientRequest.on('close', () =>
        reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })),
      );
      clientRequest.on('response', (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > maxBytes) response.destroy();
        });
        response.on('error', reject);
        response.on('close', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body: Buffer.concat(chunks).subarray(0, maxBytes),
          }),
        );
      });
      clientRequest.end(body);
    });

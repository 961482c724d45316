import http from 'node:http';
import https from 'node:https';
import type { Clock } from '#shared/clock.ts';
import { AddressRefused, type Outgoing } from '#shared/network/address-policy.ts';
import { MAX_PICTURE_BYTES } from './enrolment.ts';

/** The session request waits for the picture. Callers give up after ten seconds in all. */
const FETCH_WITHIN_MS = 2_000;

/** The message tells the caller why the picture could not be fetched. */
export class PictureUnreachable extends Error {
  override readonly name = 'PictureUnreachable';
}

/** Throws a `PictureUnreachable`. */
export type FetchPicture = (url: string) => Promise<Uint8Array>;

/** Follows no redirects and reuses no connection, so that every address is checked before use. */
export const httpFetchPicture =
  (outgoing: Outgoing, clock: Clock): FetchPicture =>
  async (url) => {
    const refused = outgoing.checkUrl(url, 'anywhere');
    if (refused) throw new PictureUnreachable(refused);
    const tooLate = new AbortController();
    const cancel = clock.after(FETCH_WITHIN_MS, () => tooLate.abort());
    try {
      return await get(url, outgoing, tooLate.signal);
    } catch (error) {
      if (error instanceof PictureUnreachable) throw error;
      if (tooLate.signal.aborted) {
        const text = `The address did not answer completely within ${FETCH_WITHIN_MS / 1000} s.`;
        throw new PictureUnreachable(text);
      }
      const isRefused = error instanceof AddressRefused;
      const text = isRefused ? error.message : 'The address could not be reached.';
      throw new PictureUnreachable(text, { cause: error });
    } finally {
      cancel();
    }
  };

function get(url: string, outgoing: Outgoing, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const { request } = url.startsWith('https:') ? https : http;
    const outgoingRequest = request(url, { agent: false, lookup: outgoing.lookup, signal });
    outgoingRequest.on('error', reject);
    outgoingRequest.on('close', () => reject(new Error('closed')));
    outgoingRequest.on('response', (response) => {
      const refuse = (text: string) => {
        reject(new PictureUnreachable(text));
        response.destroy();
      };
      if (response.statusCode !== 200) {
        return refuse(`The address answered ${response.statusCode}.`);
      }
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= MAX_PICTURE_BYTES) chunks.push(chunk);
        else refuse(`A picture may have at most ${MAX_PICTURE_BYTES / 1024 ** 2} MiB.`);
      });
      response.on('end', () => resolve(Buffer.concat(chunks)));
    });
    outgoingRequest.end();
  });
}

import { createHash, timingSafeEqual } from 'node:crypto';

/** Does the header carry `Bearer` and our token? Takes the same time whatever is wrong: digests have one length. */
export function isWorkerToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/i.exec(header ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

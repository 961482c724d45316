import { createHash } from 'node:crypto';
import { FIRST_ACCOUNT } from '../api/admin.ts';
import { BUILT_IN } from '../api/build-app.ts';

const KEPT = [...BUILT_IN, FIRST_ACCOUNT];
const UUID = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g;
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;
/** Ids of workers and rooms. */
const NAME = /\b(avatar|agent|botroom|troupe)-[\w-]{12,}/g;
/** Fields with secrets that are no JWT, or stand for one. Their first letters say what they are. */
const SECRET =
  /"(secret|link_secret|key|token|\w+_token|next_cursor)":"(?!eyJ)((?:[a-z]+_)*)([^"]+)"/g;
/** Their first letters are random, and may look like a prefix. */
const UNPREFIXED = new Set(['link_secret', 'next_cursor']);
/** Of one-time links to the console. */
const LINK_CODE = /#link=\w+/g;
const DURATION = /"(latency_ms|duration_ms)":[\d.]+/g;
const ADDRESS = /\b(http|ws):\/\/(?:127\.0\.0\.1:\d+|localhost:80)/g;

/** Replaces what differs from run to run, the same value always by the same one. */
export class StableValues {
  readonly #ids = new Map<string, string>(KEPT.map((id) => [id, id]));

  in(text: string): string {
    return text
      .replaceAll(UUID, (id) => this.#idFor(id))
      .replaceAll(JWT, 'eyJ...')
      .replaceAll(NAME, (_, prefix: string) => `${prefix}-${'x'.repeat(12)}`)
      .replaceAll(SECRET, (_, field: string, prefix: string, secret: string) => {
        // The tokens of the tests' media server are sentences.
        if (secret.includes(' ')) return `"${field}":"eyJ..."`;
        const placeholder = UNPREFIXED.has(field) ? '...' : `${prefix}...`;
        return `"${field}":"${placeholder}"`;
      })
      .replaceAll(LINK_CODE, '#link=...')
      .replaceAll(DURATION, (_, field: string) => `"${field}":2.5`)
      .replaceAll(ADDRESS, (_, scheme: string) => `${scheme}://127.0.0.1:8080`);
  }

  #idFor(id: string): string {
    const stableId = this.#ids.get(id);
    if (stableId) return stableId;
    const hash = createHash('sha256').update(String(this.#ids.size)).digest('hex');
    const parts = [hash.slice(0, 8), hash.slice(8, 12), `4${hash.slice(13, 16)}`];
    const newId = [...parts, `a${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
    this.#ids.set(id, newId);
    return newId;
  }
}

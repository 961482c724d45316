/*
 * A client that knows the service only by its OpenAPI document. It remembers ids and cursors from
 * answers for later requests, and creates missing resources with valid requests.
 */
import fc, { type Arbitrary } from 'fast-check';
import { operationsOf, Rules, type ApiDocument, type Operation } from './document.ts';
import { anyDraft, soundDraft, type Draft, type Which } from './draft.ts';
import { HttpClient, type RawAnswer } from './http-client.ts';
import { complaintsAbout } from './judge.ts';
import { Meanings, type Supplies } from './meanings.ts';
import { plan, type Credentials, type Planned } from './request.ts';
import { IdOf, madeAt, NOBODY, World, type Place } from './world.ts';

export type FuzzerOptions = {
  url: string;
  document: ApiDocument;
  self: Credentials;
  stranger: Credentials;
  supplies: Supplies;
  /** Ids of resources that must not change. */
  spared: readonly string[];
  /** Whether every slot is in use. */
  isFull: () => Promise<boolean>;
};

type Caller = { credentials: Credentials; world: World };

export class Fuzzer {
  readonly operations: Operation[];
  /** Status counts by operation. */
  readonly seen = new Map<string, Map<number, number>>();
  readonly #options: FuzzerOptions;
  readonly #rules: Rules;
  readonly #meanings: Meanings;
  readonly #http: HttpClient;
  readonly #self: Caller;
  readonly #stranger: Caller;
  readonly #sound = new Map<Operation, Arbitrary<Draft>>();
  #made = 0;

  constructor(options: FuzzerOptions) {
    this.#options = options;
    this.#rules = new Rules(options.document);
    this.#meanings = new Meanings(options.supplies);
    this.#http = new HttpClient(options.url);
    this.operations = operationsOf(options.document);
    this.#self = { credentials: options.self, world: new World(this.operations, options.spared) };
    this.#stranger = {
      credentials: options.stranger,
      world: new World(this.operations, options.spared),
    };
  }

  /** Requests with at most one fault. */
  drafts(operation: Operation): Arbitrary<Draft> {
    return anyDraft(this.#rules, operation, this.#meanings);
  }

  soundDrafts(operation: Operation): Arbitrary<Draft> {
    const known = this.#sound.get(operation);
    if (known) return known;
    const drafts = soundDraft(this.#rules, operation, this.#meanings);
    this.#sound.set(operation, drafts);
    return drafts;
  }

  /**
   * Sends a request; throws if the answer violates the document. `wasFull`: every slot was taken
   * before. A session that ends by itself may have freed one since.
   */
  async check(operation: Operation, draft: Draft, wasFull = false): Promise<void> {
    await this.#provide(this.#self, operation, draft);
    if (draft.wrong.part === 'path' && draft.wrong.which === 'foreign') {
      await this.#provide(this.#stranger, operation, draft);
    }
    await this.#prepare(operation, draft);
    const planned = this.#plan(this.#self, operation, draft);
    const answer = await this.#send(this.#self, operation, planned);
    const full = answer.status === 503 && (wasFull || (await this.#options.isFull()));
    const by = { rules: this.#rules, meanings: this.#meanings };
    const complaints = complaintsAbout(by, operation, planned, answer, full);
    if (complaints.length > 0) throw new Error(tell(operation, planned, answer, complaints));
  }

  /** Discards worn resources of the operation; later requests use new ones. */
  startAnew({ path }: Operation): void {
    this.#self.world.leaveAlone(collectionOf(path));
  }

  close(): void {
    this.#http.close();
  }

  /** Creates missing resources for all ids of the request. */
  async #provide(caller: Caller, operation: Operation, draft: Draft): Promise<void> {
    const named = new Set(referencesIn([draft.body, draft.query]));
    for (const [start] of operation.path.matchAll(/.*?\/\{\w+\}/g)) {
      named.add(start.replace(/\/\{\w+\}$/, ''));
    }
    for (const collection of named) {
      for (let tries = 0; tries < 3 && caller.world.live(collection).length < 3; tries++) {
        await this.#make(caller, collection);
      }
    }
  }

  async #make(caller: Caller, collection: string): Promise<void> {
    const place = madeAt(collection);
    const maker =
      this.operations.find(({ method, path }) => method === 'POST' && path === place) ??
      this.operations.find(({ method, path }) => method === 'GET' && path === place);
    if (!maker) return;
    const draft = this.#soundDraft(maker);
    await this.#provide(caller, maker, draft);
    await this.#send(caller, maker, this.#plan(caller, maker, draft));
  }

  /** Prepares a resource so that the request can succeed. */
  async #prepare(operation: Operation, { place }: Draft): Promise<void> {
    const before = this.operations.find(({ name }) => name === this.#meanings.before(operation));
    if (!before) return;
    const draft = { ...this.#soundDraft(before), place };
    await this.#send(this.#self, before, this.#plan(this.#self, before, draft));
  }

  #soundDraft(operation: Operation): Draft {
    this.#made += 1;
    return fc.sample(this.soundDrafts(operation), { numRuns: 1, seed: this.#made })[0]!;
  }

  #plan({ credentials, world }: Caller, operation: Operation, draft: Draft): Planned {
    const collection = collectionOf(operation.path);
    const fill = {
      credentials,
      place: (which: Which, pick: number) => {
        if (!operation.path.includes('{') || which === 'odd') return null;
        if (which === 'foreign') return choose(this.#stranger.world.live(collection), pick);
        return choose(which === 'gone' ? world.gone(collection) : world.live(collection), pick);
      },
      id: ({ collection: of, pick }: IdOf) => {
        const place = choose(world.live(of), pick);
        return (place && Object.values(place).at(-1)) ?? NOBODY;
      },
      cursor: (path: string) => world.cursor(path),
    };
    return plan({ rules: this.#rules, meanings: this.#meanings, operation, draft, fill });
  }

  async #send(caller: Caller, operation: Operation, planned: Planned): Promise<RawAnswer> {
    const answer = await this.#http.send(planned.raw);
    const { status, text } = answer;
    const counts = this.seen.get(operation.name) ?? new Map<number, number>();
    this.seen.set(operation.name, counts.set(status, (counts.get(status) ?? 0) + 1));
    if (status >= 200 && status < 300 && planned.raw.method === operation.method) {
      caller.world.remember(
        operation,
        planned.raw.path,
        planned.place,
        text === '' ? null : parse(text),
      );
    }
    return answer;
  }
}

/** Collection of the path's last id. */
const collectionOf = (path: string): string => path.replace(/\/\{\w+\}[^{]*$/, '');

const choose = (places: Place[], pick: number): Place | null =>
  places[pick % places.length] ?? null;

function referencesIn(value: unknown): string[] {
  if (value instanceof IdOf) return [value.collection];
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return Object.values(value).flatMap(referencesIn);
}

const short = (text: string) => (text.length > 1_500 ? `${text.slice(0, 1_500)}...` : text);

function tell(
  operation: Operation,
  { raw, why }: Planned,
  answer: RawAnswer,
  complaints: string[],
): string {
  const body = typeof raw.body === 'string' ? short(raw.body) : `${raw.body?.length ?? 0} bytes`;
  return [
    `${operation.name}: ${complaints.join('; ')}`,
    `wrong with the request: ${why}`,
    `> ${raw.method} ${short(raw.path)} ${JSON.stringify(raw.headers)}`,
    `> ${body}`,
    `< ${answer.status} ${short(answer.text)}`,
  ].join('\n');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

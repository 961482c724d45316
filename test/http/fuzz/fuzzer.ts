/*
 * A client that knows the service by its OpenAPI document and by `meanings.ts`. It remembers ids
 * and cursors from answers for later requests, and creates missing resources with valid requests.
 */
import fc, { type Arbitrary } from 'fast-check';
import { PATIENCE_MS } from '../../support/patience.ts';
import { until } from '../../support/until.ts';
import { operationsOf, Rules, type ApiDocument, type Operation } from './document.ts';
import { faultsOf, isExpected, type Answer } from './judge.ts';
import { isShared, meaningsOf, type Meanings, type Supplies } from './meanings.ts';
import {
  draftsOf,
  parameters,
  plan,
  referencesIn,
  type Credentials,
  type Draft,
  type Planned,
  type Way,
} from './request.ts';
import { IdOf, madeAt, NOBODY, World, type Place, type Which } from './world.ts';

export type FuzzerOptions = {
  url: string;
  document: ApiDocument;
  self: Credentials;
  stranger: Credentials;
  supplies: Supplies;
  /** Ids of resources that must not change. */
  spared: readonly string[];
  /** For what the service does in the background. */
  passTime: () => void;
};

type Caller = { credentials: Credentials; world: World };

const SOUND: Way = { part: 'nothing' };

export class Fuzzer {
  readonly operations: Operation[];
  /** Statuses by operation. */
  readonly seen = new Map<Operation, Set<number>>();
  /** Every slot is taken, so that 503 is right. */
  isFull = false;
  readonly #options: FuzzerOptions;
  readonly #rules: Rules;
  readonly #meanings: Meanings;
  readonly #self: Caller;
  readonly #stranger: Caller;
  readonly #drafts = new Map<Operation, Arbitrary<Draft>>();
  #made = 0;

  constructor(options: FuzzerOptions) {
    this.#options = options;
    this.#rules = new Rules(options.document);
    this.#meanings = meaningsOf(options.supplies);
    this.operations = operationsOf(options.document);
    const { self, stranger, spared } = options;
    this.#self = { credentials: self, world: new World(this.operations, spared) };
    this.#stranger = { credentials: stranger, world: new World(this.operations, spared) };
  }

  /** All that can be odd about the operation, after what is not. */
  waysOf(operation: Operation): Way[] {
    const placeKinds: Which[] = ['gone', 'foreign', 'unknown'];
    const variants: Way[] = [SOUND, { part: 'twice' }];
    if (operation.path.includes('{')) {
      const possible = isShared(operation) ? ['gone' as const, 'unknown' as const] : placeKinds;
      variants.push(...possible.map((each): Way => ({ part: 'path', which: each })));
    }
    if (fc.sample(this.drafts(operation), { numRuns: 20, seed: 1 }).some(hasReference)) {
      variants.push(...placeKinds.map((each): Way => ({ part: 'reference', which: each })));
    }
    if (hasCursor(operation)) variants.push({ part: 'cursor' });
    return variants;
  }

  /** Requests that differ in more than the resource that they name. */
  isVaried(operation: Operation): boolean {
    return operation.requestBody !== undefined || parameters(operation, 'query').length > 0;
  }

  drafts(operation: Operation, variant = SOUND): Arbitrary<Draft> {
    const parts = { rules: this.#rules, meaning: this.#meanings(operation), operation };
    const drafts = this.#drafts.get(operation) ?? draftsOf(parts);
    this.#drafts.set(operation, drafts);
    // The reply to an earlier request with the same Idempotency-Key would say nothing of the
    // reference.
    if (variant.part === 'reference')
      return drafts.filter(hasReference).map((draft) => ({ ...draft, headers: {} }));
    if (variant.part !== 'cursor') return drafts;
    return drafts.map((draft) => ({ ...draft, query: { ...draft.query, cursor: '' } }));
  }

  /** Sends a request; throws if the answer violates the document or the meaning of the request. */
  async check(operation: Operation, variant: Way, draft: Draft): Promise<void> {
    await this.#provide(this.#self, operation, draft);
    if ('which' in variant && variant.which === 'foreign') {
      await this.#provide(this.#stranger, operation, draft);
    }
    await this.#prepare(operation, variant, draft);
    const planned = this.#plan(this.#self, operation, variant, draft);
    const sending = variant.part === 'twice' ? [planned, planned] : [planned];
    const answers = await Promise.all(
      sending.map((each) => this.#send(this.#self, operation, each)),
    );
    const faults = answers.flatMap((each) => faultsOf(this.#rules, operation, each, this.isFull));
    const namesNobody = operation.path.includes('{') && planned.place === null;
    const expectedVariant: Way = namesNobody ? { part: 'path', which: 'unknown' } : variant;
    const meaning = this.#meanings(operation);
    if (!answers.some(({ status }) => isExpected(meaning, expectedVariant, status))) {
      faults.push(`not expected: ${answers.map(({ status }) => status).join()}`);
    }
    this.#options.passTime();
    if (faults.length > 0) throw new Error(tell(operation, variant, planned, answers, faults));
  }

  /** Discards worn resources of the operation; later requests use new ones. */
  startAnew({ path }: Operation): void {
    this.#self.world.leaveAlone(collectionOf(path));
  }

  /** Creates missing resources for all ids of the request. */
  async #provide(caller: Caller, operation: Operation, draft: Draft): Promise<void> {
    for (const collection of collectionsIn(operation, draft)) {
      for (let tries = 0; tries < 3 && caller.world.live(collection).length < 3; tries++) {
        await this.#make(caller, collection);
      }
    }
  }

  async #make(caller: Caller, collection: string): Promise<void> {
    const path = madeAt(collection);
    const maker = this.#find(`POST ${path}`) ?? this.#find(`GET ${path}`);
    if (!maker) return;
    const draft = this.#soundDraft(maker);
    await this.#provide(caller, maker, draft);
    await this.#send(caller, maker, this.#plan(caller, maker, SOUND, draft));
  }

  /** Sends earlier requests so that this one is as it is meant. */
  async #prepare(operation: Operation, variant: Way, draft: Draft): Promise<void> {
    const precursor = this.#find(this.#meanings(operation).before);
    if (precursor)
      await this.#act(precursor, {
        ...this.#soundDraft(precursor),
        place: draft.place,
      });
    if (variant.part === 'cursor') await this.#act(operation, { ...draft, query: { limit: 1 } });
    if ('which' in variant && variant.which === 'gone') {
      for (const collection of collectionsIn(operation, draft)) await this.#remove(collection);
    }
  }

  /** Deletes a resource, unless one is deleted already. */
  async #remove(collection: string): Promise<void> {
    const removal = this.operations.find(
      ({ method, path }) =>
        method === 'DELETE' && path.endsWith('}') && collectionOf(path) === madeAt(collection),
    );
    if (!removal || this.#self.world.gone(collection).length > 0) return;
    await this.#act(removal, this.#soundDraft(removal));
  }

  async #act(operation: Operation, draft: Draft): Promise<void> {
    await this.#provide(this.#self, operation, draft);
    await this.#prepare(operation, SOUND, draft);
    await this.#send(this.#self, operation, this.#plan(this.#self, operation, SOUND, draft));
  }

  #find(name: string | undefined): Operation | undefined {
    return this.operations.find((operation) => operation.name === name);
  }

  #soundDraft(operation: Operation): Draft {
    this.#made += 1;
    return fc.sample(this.drafts(operation), { numRuns: 1, seed: this.#made })[0]!;
  }

  #plan({ credentials, world }: Caller, operation: Operation, variant: Way, draft: Draft): Planned {
    const placeKind = variant.part === 'path' ? variant.which : 'live';
    const references = referencesIn([draft.body, draft.query]);
    const odd = variant.part === 'reference' ? references[draft.pick % references.length] : null;
    const fill = {
      credentials,
      place: operation.path.includes('{')
        ? choose(this.#places(world, placeKind, collectionOf(operation.path)), draft.place)
        : null,
      id: (reference: IdOf) => {
        const from = reference === odd ? (variant as { which: Which }).which : 'live';
        const place = choose(this.#places(world, from, reference.collection), reference.pick);
        return (place && Object.values(place).at(-1)) ?? NOBODY;
      },
      cursor: (path: string) =>
        variant.part === 'cursor' ? world.oddCursor(path, draft.pick) : world.cursor(path),
    };
    return plan({ rules: this.#rules, operation }, draft, fill);
  }

  #places(world: World, placeKind: Which, collection: string): Place[] {
    switch (placeKind) {
      case 'live':
        return world.live(collection);
      case 'gone':
        return world.gone(collection);
      case 'foreign':
        return this.#stranger.world.made(collection);
      case 'unknown':
        return [];
    }
  }

  async #send(caller: Caller, operation: Operation, planned: Planned): Promise<Answer> {
    const { path, place, ...request } = planned;
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const reply = await fetch(this.#options.url + path, { ...request, redirect: 'manual', signal });
    const { status, headers } = reply;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream');
    const text = isStream ? '' : await reply.text();
    if (isStream) await reply.body?.cancel();
    this.seen.set(operation, (this.seen.get(operation) ?? new Set()).add(status));
    if (reply.ok) {
      if (status === 202 && operation.method === 'DELETE') await this.#untilDeleted(planned);
      const isJson = headers.get('content-type')?.startsWith('application/json');
      caller.world.remember(operation, path, place ?? {}, isJson ? JSON.parse(text) : null);
    }
    return { status, headers, text };
  }

  /** Accounts are deleted in the background, and answer until then. */
  async #untilDeleted({ path, headers }: Planned): Promise<void> {
    const { pathname } = new URL(path, this.#options.url);
    await until(async () => {
      this.#options.passTime();
      const reply = await fetch(`${this.#options.url}${pathname}/deletion`, { headers });
      return ((await reply.json()) as { completed_at: string | null }).completed_at !== null;
    });
  }
}

/** Collections of all ids in the request, parents first. */
function collectionsIn(operation: Operation, { body, query }: Draft): string[] {
  const inPath = [...operation.path.matchAll(/\/\{\w+\}/g)].map(({ index }) =>
    operation.path.slice(0, index),
  );
  return [...inPath, ...referencesIn([body, query]).map(({ collection }) => collection)];
}

const hasReference = ({ body, query }: Draft): boolean => referencesIn([body, query]).length > 0;

const hasCursor = (operation: Operation): boolean =>
  parameters(operation, 'query').some(({ name }) => name === 'cursor');

/** Collection of the path's last id. */
const collectionOf = (path: string): string => path.replace(/\/\{\w+\}[^{]*$/, '');

const choose = (places: Place[], pick: number): Place | null =>
  places[pick % places.length] ?? null;

const short = (text: string) => (text.length > 1_500 ? `${text.slice(0, 1_500)}...` : text);

function tell(
  operation: Operation,
  variant: Way,
  { method, path, headers, body }: Planned,
  answers: Answer[],
  faults: string[],
): string {
  return [
    `${operation.name}: ${faults.join('; ')}`,
    `odd about the request: ${Object.values(variant).join(' ')}`,
    `> ${method} ${short(path)} ${JSON.stringify(Object.fromEntries(headers))}`,
    `> ${typeof body === 'string' ? short(body) : (body?.constructor.name ?? 'no body')}`,
    ...answers.map(({ status, text }) => `< ${status} ${short(text)}`),
  ].join('\n');
}

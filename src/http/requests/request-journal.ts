/*
 * The requests of the last hour by account, to debug an integration. Kept in memory only: bodies
 * hold people's words, and a restart forgets them. Secrets, and what people say, are never kept.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { requestPath } from '../plumbing/request-path.ts';
import { HIDDEN, unlessSecret } from '../plumbing/validation/echo.ts';
import { isPlain, knownParts, PRIVATE, type Schema } from './known-parts.ts';

const KEPT_MS = 3_600_000;
/** Upper bounds, to limit memory. */
const MAX_ENTRIES = 300;
const MAX_ACCOUNTS = 200;
const MAX_BODY = 4_096;
/** Characters of all bodies. */
const MAX_CHARACTERS = 16 * 1024 ** 2;
/** A longer answer is not read. */
const MAX_READ = 65_536;

export type JournalEntry = {
  id: string;
  /** When it was answered. */
  at: number;
  method: string;
  path: string;
  /** The path with the names of its parameters. */
  route: string;
  status: number;
  durationMs: number;
  keyId: string | null;
  personId: string | null;
  /** JSON, cut after 4 KiB; null: no JSON. */
  requestBody: string | null;
  responseBody: string | null;
};

/** Asks the other control planes for their entries. */
export type JournalRequests = {
  journal: { request: { accountId: string }; response: JournalEntry[] };
};

type JournalBus = {
  readonly self: string;
  living(): Promise<string[]>;
  request(node: string, type: 'journal', request: { accountId: string }): Promise<JournalEntry[]>;
  onRequest(type: 'journal', answer: (request: { accountId: string }) => JournalEntry[]): void;
};

/** The entries of one account: the oldest comes first. */
type AccountJournal = { entries: JournalEntry[]; characters: number };

export class RequestJournal {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #bus: JournalBus | null;
  /** The accounts by their last request. */
  readonly #kept = new Map<string, AccountJournal>();
  #characters = 0;

  /** `bus`: null: this control plane is the only one. */
  constructor(clock: Pick<Clock, 'now'>, bus: JournalBus | null) {
    this.#clock = clock;
    this.#bus = bus;
    bus?.onRequest('journal', ({ accountId }) => this.#own(accountId));
  }

  add(accountId: string, entry: JournalEntry): void {
    const accountJournal = this.#kept.get(accountId) ?? { entries: [], characters: 0 };
    this.#kept.delete(accountId);
    this.#kept.set(accountId, accountJournal);
    accountJournal.entries.push(entry);
    this.#count(accountJournal, charactersIn(entry));
    while (
      accountJournal.entries.length > MAX_ENTRIES ||
      this.#isOver(accountJournal.entries[0]!)
    ) {
      this.#count(accountJournal, -charactersIn(accountJournal.entries.shift()!));
    }
    for (const [id, { entries, characters }] of this.#kept) {
      if (id === accountId || !(this.#isTooMuch || this.#isOver(entries.at(-1)!))) break;
      this.#characters -= characters;
      this.#kept.delete(id);
    }
  }

  #count(accountJournal: AccountJournal, characters: number): void {
    accountJournal.characters += characters;
    this.#characters += characters;
  }

  get #isTooMuch(): boolean {
    return this.#kept.size > MAX_ACCOUNTS || this.#characters > MAX_CHARACTERS;
  }

  /** The requests of all control planes, newest first, except of those that do not answer. */
  async of(accountId: string): Promise<JournalEntry[]> {
    const bus = this.#bus;
    const nodes = bus ? (await bus.living()).filter((node) => node !== bus.self) : [];
    const answers = await Promise.all(
      nodes.map((node) => bus!.request(node, 'journal', { accountId }).catch(() => [])),
    );
    return [this.#own(accountId), ...answers]
      .flat()
      .toReversed()
      .toSorted((a, b) => b.at - a.at);
  }

  #own(accountId: string): JournalEntry[] {
    return (this.#kept.get(accountId)?.entries ?? []).filter((entry) => !this.#isOver(entry));
  }

  #isOver({ at }: JournalEntry): boolean {
    return at <= this.#clock.now() - KEPT_MS;
  }
}

const charactersIn = ({ requestBody, responseBody }: JournalEntry): number =>
  (requestBody?.length ?? 0) + (responseBody?.length ?? 0);

type JournalParts = { journal: RequestJournal; clock: Clock };

/** Adds the requests of every route of `app`, except what the console reads. */
export function keepJournal(app: FastifyInstance, { journal, clock }: JournalParts): void {
  app.decorateRequest('answerText', null);
  app.addHook('onSend', async (request, _reply, payload) => {
    if (typeof payload === 'string' && payload.length <= MAX_READ) request.answerText = payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    const { account, signedIn, method } = request;
    if (!account || (signedIn && method === 'GET')) return;
    journal.add(account.id, {
      id: request.id,
      at: clock.now(),
      method,
      path: requestPath(request.url),
      route: request.routeOptions.url ?? '',
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      keyId: request.keyId,
      personId: signedIn?.person.id ?? null,
      requestBody: shown(knownParts(request.body, bodySchemas(request), (id) => app.getSchema(id))),
      responseBody: shownText(request.answerText),
    });
  });
}

/** Schemas of forms and bytes stand below their content type. */
function bodySchemas({ routeOptions: { schema } }: FastifyRequest): Schema[] {
  const body = (schema?.body ?? {}) as Schema & { content?: Record<string, { schema: Schema }> };
  return [body, ...Object.values(body.content ?? {}).map((content) => content.schema)];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of the answer, if it is a short text. */
    answerText: string | null;
  }
}

function shownText(text: FastifyRequest['answerText']): string | null {
  if (!text?.startsWith('{') && !text?.startsWith('[')) return null;
  try {
    return shown(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Buffers and streams are not shown. */
function shown(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !isPlain(body)) return null;
  const text = JSON.stringify(body, (name, value: unknown) =>
    PRIVATE.has(name) ? HIDDEN : unlessSecret(name, value),
  );
  return text.length <= MAX_BODY ? text : `${text.slice(0, MAX_BODY).toWellFormed()}…`;
}

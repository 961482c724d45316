/** As the service sends it. `next_cursor` is there if `has_more`. */
export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor?: string };

/**
 * The answer of a list operation. `await` it for the first page, or iterate it for all items:
 * further pages are then fetched when they are needed.
 */
export class Pages<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #fetch: (cursor: string | null) => Promise<Page<Item>>;
  #first: Promise<Page<Item>> | undefined;

  constructor(fetch: (cursor: string | null) => Promise<Page<Item>>) {
    this.#fetch = fetch;
  }

  // The request is sent when the first page is awaited.
  // oxlint-disable-next-line unicorn/no-thenable -- `await` gives the first page
  then<Result = Page<Item>, Failure = never>(
    onPage?: ((page: Page<Item>) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#first ??= this.#fetch(null);
    return this.#first.then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Iterates pages instead of items. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page = await this.then((answer) => answer);
    while (true) {
      yield page;
      if (!page.has_more || page.next_cursor === undefined) return;
      page = await this.#fetch(page.next_cursor);
    }
  }

  /** All items, at most `max` of them. */
  async toArray({ max = Infinity }: { max?: number } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}

import Type, { type Static, type TSchema } from 'typebox';

export { isoTime } from '#shared/iso-time.ts';

/** Refers to a schema that the server was given by name, and keeps its type. */
export const named = <Schema extends TSchema>(schema: Schema & { $id?: string }) =>
  Type.Unsafe<Static<Schema>>(Type.Ref(String(schema.$id)));

/** As `named`, with what the document says about the answer. */
export const answer = <Schema extends TSchema>(
  schema: Schema & { $id?: string },
  description: string,
) => Type.Unsafe<Static<Schema>>({ ...Type.Ref(String(schema.$id)), description });

/** PostgreSQL keeps no NUL in text. */
export const Text = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000]*$' });

/** Of something that a body refers to. */
export const Id = Text(1, 100);

export const Time = Type.String({
  format: 'date-time',
  examples: ['2026-01-01T12:00:00.000000+00:00'],
});

export const ErrorBody = Type.Object(
  { detail: Type.String() },
  {
    $id: 'Error',
    additionalProperties: true,
    description: 'May carry further keys that say what the error is about.',
  },
);

const ProblemBody = Type.Object({
  type: Type.String(),
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  input: Type.Unknown(),
});

export const ValidationErrorBody = Type.Object(
  { detail: Type.Array(ProblemBody) },
  { $id: 'ValidationError' },
);

const descriptions = {
  400: 'A parameter has a wrong value.',
  401: 'The key is missing or unknown.',
  402: "The plan's minutes are used up.",
  403: 'Not permitted: kept for other accounts, or not part of the plan.',
  404: 'Does not exist, or is not accessible with this key.',
  409: 'In conflict with what there is, or with an earlier request.',
  413: 'The body is too large.',
  415: 'The body is of a type that is not read here.',
  422: 'The body or a parameter is not valid.',
  429: 'Too many requests or sessions: try again later.',
  501: 'Not available for this type of account.',
  503: 'At capacity: try again after the time in Retry-After. Where no worker had a slot, `reason` says why: `full`, `draining`, `no_worker_for_avatar` or, of a call, `no_agent_worker`.',
};
export type ErrorStatus = keyof typeof descriptions;

/** The error answers of a route, for its document and its replies. */
export function errors<Status extends ErrorStatus>(...statuses: Status[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        ...Type.Ref(status === 422 ? 'ValidationError' : 'Error'),
        description: descriptions[status],
      },
    ]),
  ) as unknown as Record<Status, ReturnType<typeof Type.Unsafe<unknown>>>;
}

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'For 24 hours a repeat with the same key is answered as the first request was; another request under it is a 409.',
    }),
  ),
});

/** Names to text. Not `Type.Record`: its pattern for any name fits none with a line break, and what stands under such a name is not looked at. */
export const TextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

/** What a caller may keep with a thing of theirs. */
export const GivenTextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 50,
  additionalProperties: { type: 'string', maxLength: 500 },
  description: 'Yours: kept and answered as it is.',
});

export const IdParams = Type.Object({ id: Type.String({ minLength: 1 }) });

export const DEFAULT_LIMIT = 10;
export const MAX_LIMIT = 50;

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before.' })),
});

/** Older clients know no pages: they get a bare list, of as many as it may hold. */
export const OlderQuery = Type.Object({
  ...PageQuery.properties,
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
});

/** The two forms of a page: with more to come, and the last one. */
export const pageOf = <Item extends TSchema>(item: Item, $id: string) =>
  Type.Union(
    [
      Type.Object({
        data: Type.Array(item),
        has_more: Type.Literal(true),
        next_cursor: Type.String(),
      }),
      Type.Object({ data: Type.Array(item), has_more: Type.Literal(false) }),
    ],
    { $id },
  );

export const toPage = <Item>(data: Item[], nextCursor: string | null) =>
  nextCursor === null
    ? { data, has_more: false as const }
    : { data, has_more: true as const, next_cursor: nextCursor };

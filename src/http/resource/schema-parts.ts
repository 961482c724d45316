import Type, { type Static, type TSchema } from 'typebox';

export { isoTime } from '#shared/iso-time.ts';

/** `$ref` to a schema registered with the server, with its static type. */
export const named = <Schema extends TSchema>(schema: Schema & { $id?: string }) =>
  Type.Unsafe<Static<Schema>>(Type.Ref(String(schema.$id)));

/** `named`, with the description of the answer. */
export const answer = <Schema extends TSchema>(
  schema: Schema & { $id?: string },
  description: string,
) => Type.Unsafe<Static<Schema>>({ ...Type.Ref(String(schema.$id)), description });

/** Without NUL, which PostgreSQL text cannot hold. */
export const Text = (minLength: number, maxLength: number) =>
  Type.String({ minLength, maxLength, pattern: '^[^\\u0000]*$' });

/** Id of another resource in a request body. */
export const Id = Text(1, 100);

export const Time = Type.String({
  format: 'date-time',
  examples: ['2026-01-01T12:00:00.000000+00:00'],
});

/** Stands beside `detail` in every error. */
const explanation = {
  code: Type.String({
    description: 'Stable name of the error. There may be new ones.',
    examples: ['not_found'],
  }),
  advice: Type.String({ description: 'What to do about it, for people.' }),
  docs: Type.String({
    format: 'uri-reference',
    description: 'The error in the documentation of this service.',
    examples: ['/docs/limits#not_found'],
  }),
};

export const ErrorBody = Type.Object(
  { detail: Type.String(), ...explanation },
  {
    $id: 'Error',
    additionalProperties: true,
    description: 'May contain further keys about the error.',
  },
);

const ProblemBody = Type.Object({
  type: Type.String(),
  loc: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  msg: Type.String(),
  input: Type.Unknown(),
});

export const ValidationErrorBody = Type.Object(
  { detail: Type.Array(ProblemBody), ...explanation },
  { $id: 'ValidationError' },
);

const descriptions = {
  400: 'A parameter has an invalid value, or the body is not text in its charset.',
  401: 'The key is missing or unknown.',
  402: "The plan's minutes are used up.",
  403: 'Not permitted: reserved for other accounts, or not part of the plan.',
  404: 'Does not exist or is not accessible with this key.',
  409: 'Conflicts with existing data or an earlier request.',
  413: 'The body is too large.',
  415: 'The content type of the body is not supported.',
  422: 'The body or a parameter is not valid.',
  429: 'Too many requests or sessions. Try again later.',
  500: 'An unexpected error, which the service logs.',
  501: 'Not available for this type of account.',
  503: 'At capacity. Try again after the time in Retry-After. If no worker had a free slot, `reason` says why: `full`, `draining`, `no_worker_for_avatar`, `overflow_full`, `overflow_ceiling` or, for calls, `no_agent_worker`. A call that sent `line_ticket` also gets its place: `line_ticket` and `line_position`.',
  507: 'The disk of the service is almost full. Reads and deletions still work.',
};
export type ErrorStatus = keyof typeof descriptions;

/** Response schemas of the errors that a route may give. */
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
        'For 24 hours a repeat with the same key gets the answer of the first request. A different request with the same key gets a 409.',
    }),
  ),
});

/**
 * Not `Type.Record`: its name pattern excludes line breaks, and values under such names are not
 * validated.
 */
export const TextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
});

/** Custom data that a caller stores with a resource. */
export const GivenTextMap = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 50,
  additionalProperties: { type: 'string', maxLength: 500 },
  description: 'Custom data, stored and returned unchanged.',
});

export const IdParams = Type.Object({ id: Type.String({ minLength: 1 }) });

export const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
  cursor: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: '`next_cursor` of the previous page; null or empty for the first page.',
    }),
  ),
});

/** Older clients do not page. They get one plain array. */
export const OlderQuery = Type.Object({
  ...PageQuery.properties,
  limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
});

/** A page with more results, or the last page. */
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

/** A field of a request that may be omitted, or null. */
export const optional = <Schema extends TSchema>(schema: Schema, description: string) =>
  optionalOf([schema], description);
export const optionalOf = <Schemas extends TSchema[]>(schemas: [...Schemas], description: string) =>
  Type.Optional(Type.Union([...schemas, Type.Null()], { description }));

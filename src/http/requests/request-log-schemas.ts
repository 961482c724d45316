import Type, { type Static } from 'typebox';
import type { JournalEntry } from './request-journal.ts';
import { isoTime, Time } from '../resource/schema-parts.ts';

const Body = Type.Union([Type.String(), Type.Null()], {
  description: 'JSON without secrets, cut after 4 KiB. Null: no JSON.',
});
const MaybeId = Type.Union([Type.String(), Type.Null()]);

const LoggedRequest = Type.Object({
  id: Type.String({ description: 'As in the header `x-request-id`.' }),
  at: Time,
  method: Type.String(),
  path: Type.String(),
  route: Type.String({ description: 'The path with the names of its parameters.' }),
  status: Type.Integer(),
  duration_ms: Type.Number(),
  key_id: MaybeId,
  person_id: MaybeId,
  request_body: Body,
  response_body: Body,
});

export const RequestLogBody = Type.Object(
  { data: Type.Array(LoggedRequest) },
  { $id: 'RequestLog' },
);

export const RequestLogQuery = Type.Object({
  status: Type.Optional(
    Type.Enum(['2xx', '3xx', '4xx', '5xx'], {
      type: 'string',
      description: 'Class of the status.',
    }),
  ),
  route: Type.Optional(Type.String({ description: 'As in `route`.', maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 300, default: 100 })),
});

export const toLoggedRequest = (entry: JournalEntry): Static<typeof LoggedRequest> => ({
  id: entry.id,
  at: isoTime(entry.at),
  method: entry.method,
  path: entry.path,
  route: entry.route,
  status: entry.status,
  duration_ms: entry.durationMs,
  key_id: entry.keyId,
  person_id: entry.personId,
  request_body: entry.requestBody,
  response_body: entry.responseBody,
});

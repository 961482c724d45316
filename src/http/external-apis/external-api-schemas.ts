import Type, { type Static } from 'typebox';
import { EXTERNAL_API_TYPES } from '../../records/engine/tables/external-api-columns.ts';
import type { ExternalApi } from '../../records/agents/external-apis.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, pageOf, Text, Time } from '../resource/schema-parts.ts';

const Kind = Type.Enum([...EXTERNAL_API_TYPES], {
  type: 'string',
  description:
    'Language model, speech to text, text to speech, or embeddings. Agents refer to each in the matching field.',
});

const fields = {
  name: Text(1, 100),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '^https?://[^\\s\\u0000-\\u001f]+$',
    description:
      'Base address of the API, without `/chat/completions`, `/audio/transcriptions`, `/audio/speech` or `/embeddings`. Private network addresses are refused unless the service allows them.',
    examples: ['https://llm.example/v1'],
  }),
  api_key: Type.String({
    minLength: 1,
    maxLength: 4096,
    pattern: '^[\\x21-\\x7e]*$',
    description: 'Sent to the API as a bearer token. Encrypted at rest and never returned.',
  }),
};

const request = { type: Kind, ...fields };

export const ExternalApiRequest = closed(Type.Object(request, { $id: 'ExternalApiRequest' }));

const changes = {
  type: Type.Optional(Kind),
  name: Type.Optional(fields.name),
  url: Type.Optional(fields.url),
  api_key: Type.Optional(fields.api_key),
};

export const ExternalApiChanges = closed(
  Type.Object(changes, {
    $id: 'ExternalApiChanges',
    description: 'Omitted fields keep their values.',
  }),
);

/** Older clients send more fields. */
export const OlderExternalApiRequest = Type.Object(request);
export const OlderExternalApiChanges = Type.Object(changes);

export const ExternalApiCheckRequest = closed(
  Type.Object(
    {
      model: Type.Optional({ ...Text(1, 200), description: "Defaults to OpenAI's default model." }),
      voice: Type.Optional({ ...Text(1, 200), description: 'For text to speech.' }),
    },
    { $id: 'ExternalApiCheckRequest' },
  ),
);

export const ExternalApiCheck = Type.Object(
  {
    ok: Type.Boolean(),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of its answer; null without an answer.',
    }),
    detail: Type.String({ description: 'What is wrong.' }),
    took_ms: Type.Integer(),
  },
  { $id: 'ExternalApiCheck' },
);

const bodyFields = {
  id: Type.String({ format: 'uuid' }),
  type: Kind,
  name: Type.String(),
  url: Type.String(),
};

export const ExternalApiBody = Type.Object(
  { ...bodyFields, created_at: Time },
  { $id: 'ExternalApi', description: 'Without the API key.' },
);

export const ExternalApiPage = pageOf(named(ExternalApiBody), 'ExternalApiPage');

export const OlderExternalApi = Type.Object(bodyFields);

export const toExternalApiBody = (api: ExternalApi): Static<typeof ExternalApiBody> => ({
  id: api.id,
  type: api.type,
  name: api.name,
  url: api.url,
  created_at: isoTime(api.createdAt),
});

export const externalApiSchemas = [
  ExternalApiRequest,
  ExternalApiChanges,
  ExternalApiBody,
  ExternalApiPage,
  ExternalApiCheckRequest,
  ExternalApiCheck,
];

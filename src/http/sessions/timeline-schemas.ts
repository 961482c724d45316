import Type, { type Static, type TSchema } from 'typebox';
import {
  fieldsOfKind,
  TIMELINE,
  TIMELINE_FIELDS,
  type TimelineEntry,
  type TimelineKind,
} from '#protocol/timeline.ts';
import type { Timeline } from '../../records/sessions/timelines.ts';
import { isoTime, Time } from '../resource/schema-parts.ts';

/** `tookMs` -> `took_ms` */
const wireName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const schemaOf = { text: Type.String, number: Type.Number, boolean: Type.Boolean };

const fieldSchemas = (kind: TimelineKind): Record<string, TSchema> =>
  Object.fromEntries(
    fieldsOfKind(kind).map(({ name, isOptional }) => {
      const { type, meaning: description } = TIMELINE_FIELDS[name];
      const schema = schemaOf[type]({ description });
      return [wireName(name), isOptional ? Type.Optional(schema) : schema];
    }),
  );

type EntryBody = { at: string; kind: TimelineKind } & Record<string, unknown>;

const EntryBody = Type.Unsafe<EntryBody>(
  Type.Union(
    (Object.keys(TIMELINE) as TimelineKind[]).map((kind) =>
      Type.Object(
        { at: Time, kind: Type.Literal(kind), ...fieldSchemas(kind) },
        { description: TIMELINE[kind].meaning },
      ),
    ),
  ),
);

export const TimelineBody = Type.Object(
  {
    data: Type.Array(EntryBody),
    left_out: Type.Integer({ minimum: 0, description: 'Number of omitted entries.' }),
  },
  { $id: 'Timeline' },
);

export const toTimelineBody = ({ entries, leftOut }: Timeline): Static<typeof TimelineBody> => ({
  data: entries.map(toEntryBody),
  left_out: leftOut,
});

const toEntryBody = ({ at, kind, ...fields }: TimelineEntry): EntryBody => ({
  at: isoTime(at),
  kind,
  ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [wireName(name), value])),
});

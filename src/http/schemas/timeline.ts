import Type, { type Static, type TSchema } from 'typebox';
import {
  TIMELINE,
  TIMELINE_FIELDS,
  type TimelineEntry,
  type TimelineField,
  type TimelineKind,
} from '#protocol/timeline.ts';
import type { Timeline } from '../../records/sessions/timelines.ts';
import { isoTime, Time } from './common.ts';

/** `tookMs` -> `took_ms` */
const wireName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const schemaOf = { text: Type.String, number: Type.Number, boolean: Type.Boolean };

const fieldSchemas = (fields: readonly TimelineField[]): Record<string, TSchema> =>
  Object.fromEntries(
    fields.map((name) => {
      const { type, meaning: description } = TIMELINE_FIELDS[name];
      return [wireName(name), schemaOf[type]({ description })];
    }),
  );

type EntryBody = { at: string; kind: TimelineKind } & Record<string, unknown>;

const EntryBody = Type.Unsafe<EntryBody>(
  Type.Union(
    (Object.keys(TIMELINE) as TimelineKind[]).map((kind) =>
      Type.Object(
        { at: Time, kind: Type.Literal(kind), ...fieldSchemas(TIMELINE[kind].fields) },
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

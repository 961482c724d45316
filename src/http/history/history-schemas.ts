import Type, { type Static } from 'typebox';
import type { FleetPoint } from '../../records/history/fleet-history.ts';
import type { Counts } from '../../records/history/metric-history.ts';
import type { SessionPoint } from '../../records/sessions/session-history.ts';
import { isoTime, Time } from '../resource/schema-parts.ts';

/** Points of a chart, and the seconds between them. */
const SPANS = {
  hour: { seconds: 3_600, step: 60 },
  day: { seconds: 86_400, step: 900 },
  week: { seconds: 604_800, step: 7_200 },
  month: { seconds: 2_592_000, step: 21_600 },
} as const;

export const HistoryQuery = Type.Object({
  span: Type.Optional(
    Type.Enum(Object.keys(SPANS) as (keyof typeof SPANS)[], { type: 'string', default: 'day' }),
  ),
});

/** From the beginning of a step. */
export function spanOf({ span = 'day' }: Static<typeof HistoryQuery>, now: number) {
  const { seconds, step } = SPANS[span];
  const stepMs = step * 1000;
  return { from: Math.floor((now - seconds * 1000) / stepMs) * stepMs, stepSeconds: step };
}

const Step = Type.Integer({ description: 'Length of each step. Those without data are left out.' });

const SessionPointBody = Type.Object({
  at: Time,
  sessions: Type.Integer({ description: 'Created in this step.' }),
  failures: Type.Integer({ description: 'How many of them failed.' }),
  minutes: Type.Number({ description: 'Total length of these sessions so far.' }),
});
export const SessionHistoryBody = Type.Object(
  { step_seconds: Step, points: Type.Array(SessionPointBody) },
  { $id: 'SessionHistory' },
);

const FleetPointBody = Type.Object({
  at: Time,
  workers: Type.Number(),
  slots: Type.Number(),
  taken: Type.Number(),
  taken_peak: Type.Integer(),
  waiting: Type.Number({ description: 'Requests for a slot.' }),
  waiting_peak: Type.Integer(),
  failovers: Type.Integer({ description: 'Sessions that lost their worker.' }),
  handovers: Type.Integer({ description: 'Sessions that moved on purpose.' }),
});
export const FleetHistoryBody = Type.Object(
  { step_seconds: Step, points: Type.Array(FleetPointBody) },
  { $id: 'FleetHistory' },
);

export const historySchemas = [SessionHistoryBody, FleetHistoryBody];

export const toSessionPoint = ({
  at,
  ...counts
}: SessionPoint): Static<typeof SessionPointBody> => ({ at: isoTime(at), ...counts });

export const toFleetPoint = (point: FleetPoint, counts: Counts): Static<typeof FleetPointBody> => ({
  at: isoTime(point.at),
  workers: point.workers,
  slots: point.slots,
  taken: point.taken,
  taken_peak: point.takenPeak,
  waiting: point.waiting,
  waiting_peak: point.waitingPeak,
  failovers: (counts['failovers_avatar'] ?? 0) + (counts['failovers_agent'] ?? 0),
  handovers: counts['handovers'] ?? 0,
});

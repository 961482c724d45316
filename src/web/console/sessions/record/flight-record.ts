/* The entries of a timeline as spans on lanes, and the figures of a session. Pure. */
import type { Timeline } from '../../../../clients/typescript/src/generated/models.ts';
import { texts } from '../../texts/texts.ts';

const t = texts.sessions.spans;

type AnyEntry = Timeline['data'][number];
type FieldOf<Entry> = Entry extends Entry ? keyof Entry : never;
type ValueOf<Entry, Field extends PropertyKey> =
  Entry extends Partial<Record<Field, infer Value>> ? Value : never;

/** An entry of any kind, with the fields that its kind has. */
export type TimelineEntry = Pick<AnyEntry, 'at' | 'kind'> & {
  [Field in FieldOf<AnyEntry>]?: ValueOf<AnyEntry, Field>;
};

export const LANES = ['placement', 'face', 'speech', 'trouble'] as const;
export type Lane = (typeof LANES)[number];

export type Span = {
  lane: Lane;
  fromMs: number;
  toMs: number;
  tone: 'waiting' | 'good' | 'speech' | 'bad';
  label: string;
};

export type FlightRecord = { startMs: number; endMs: number; spans: Span[] };

/** `now`: where what has not ended yet ends. */
export function flightRecord(entries: readonly TimelineEntry[], now: number): FlightRecord {
  const times = entries.map(({ at }) => Date.parse(at));
  const startMs = Math.min(...times);
  const hasEnded = entries.some(({ kind }) => kind === 'ended');
  const endMs = Math.max(startMs + 1, hasEnded ? Math.max(...times) : now);
  const spans = [...placement(entries, endMs), ...faces(entries, endMs), ...speech(entries, endMs)];
  return { startMs, endMs, spans: [...spans, ...trouble(entries)] };
}

const timeOf = ({ at }: TimelineEntry): number => Date.parse(at);

/** From the request, or from a loss, to the next face. */
function placement(entries: readonly TimelineEntry[], endMs: number): Span[] {
  const spans: Span[] = [];
  const add = (fromMs: number, toMs: number, label: string) => {
    spans.push({ lane: 'placement', fromMs, toMs, tone: 'waiting', label });
  };
  let since: number | null = null;
  let label = t.placing;
  const change = (at: number, nextLabel: string | null) => {
    if (since !== null) add(since, at, label);
    since = nextLabel === null ? null : at;
    label = nextLabel ?? label;
  };
  for (const entry of entries) {
    const at = timeOf(entry);
    if (entry.kind === 'created' || entry.kind === 'lost') change(at, t.placing);
    if (entry.kind === 'queued') {
      if (since !== null) add(since, at, t.waiting);
      since = at;
    }
    if (entry.kind === 'assigned') change(at, t.joining);
    if (entry.kind === 'first_frame' || entry.kind === 'moved' || entry.kind === 'ended')
      change(at, null);
  }
  if (since !== null) add(since, endMs, label);
  return spans;
}

/** Spans by the worker that showed the face, and gaps without one. */
function faces(entries: readonly TimelineEntry[], endMs: number): Span[] {
  const spans: Span[] = [];
  let face: { since: number; worker: string } | null = null;
  let worker = '';
  const stop = (at: number) => {
    if (!face) return;
    const label = t.face(face.worker);
    spans.push({ lane: 'face', fromMs: face.since, toMs: at, tone: 'good', label });
    face = null;
  };
  for (const entry of entries) {
    const at = timeOf(entry);
    if (entry.kind === 'assigned') worker = entry.worker_id ?? worker;
    if (entry.kind === 'first_frame' && !face) face = { since: at, worker };
    if (entry.kind === 'lost' || entry.kind === 'ended') stop(at);
    if (entry.kind === 'moved') {
      const gapMs = entry.gap_ms ?? 0;
      stop(at - gapMs);
      if (gapMs > 0)
        spans.push({ lane: 'face', fromMs: at - gapMs, toMs: at, tone: 'bad', label: t.gap });
      face = { since: at, worker: entry.to_worker_id ?? worker };
    }
  }
  stop(endMs);
  return spans;
}

function speech(entries: readonly TimelineEntry[], endMs: number): Span[] {
  const open = new Map<string, number>();
  const spans: Span[] = [];
  for (const entry of entries) {
    const segment = entry.segment ?? 0;
    const key = `${entry.epoch} ${segment}`;
    if (entry.kind === 'speech_started') open.set(key, timeOf(entry));
    if (entry.kind !== 'speech_finished') continue;
    const fromMs = open.get(key);
    open.delete(key);
    if (fromMs === undefined) continue;
    const [tone, label] = entry.interrupted
      ? (['bad', t.cut(segment)] as const)
      : (['speech', t.speech(segment)] as const);
    spans.push({ lane: 'speech', fromMs, toMs: timeOf(entry), tone, label });
  }
  for (const [key, fromMs] of open) {
    const label = t.speech(Number(key.split(' ')[1]));
    spans.push({ lane: 'speech', fromMs, toMs: endMs, tone: 'speech', label });
  }
  return spans;
}

const TROUBLES = new Set(['declined', 'unanswered', 'given_up', 'lost', 'interrupted', 'quality']);

/** Moments, drawn as thin marks. */
function trouble(entries: readonly TimelineEntry[]): Span[] {
  return entries.flatMap((entry): Span[] => {
    const at = timeOf(entry);
    const missed = entry.kind === 'frames' ? (entry.missed_frames ?? 0) : 0;
    if (missed === 0 && !TROUBLES.has(entry.kind)) return [];
    const label = missed > 0 ? t.missed(missed) : texts.sessions.kinds[entry.kind];
    const tone = entry.kind === 'interrupted' ? 'waiting' : 'bad';
    return [{ lane: 'trouble', fromMs: at, toMs: at, tone, label }];
  });
}

export type Statistics = {
  firstFrameMs: number | null;
  utterances: number;
  interruptions: number;
  spokenSeconds: number;
  frameRate: number | null;
  missedFrames: number;
  moves: number;
};

export function statisticsOf(entries: readonly TimelineEntry[]): Statistics {
  const of = (kind: TimelineEntry['kind']) => entries.filter((entry) => entry.kind === kind);
  const [created] = of('created');
  const [firstFrame] = of('first_frame');
  const finished = of('speech_finished');
  const rates = of('frames').flatMap(({ frame_rate }) => frame_rate ?? []);
  return {
    firstFrameMs: created && firstFrame ? timeOf(firstFrame) - timeOf(created) : null,
    utterances: of('speech_started').length,
    interruptions: finished.filter(({ interrupted }) => interrupted).length,
    spokenSeconds: sum(finished.map(({ position_seconds }) => position_seconds)),
    frameRate: rates.length > 0 ? sum(rates) / rates.length : null,
    missedFrames: sum(of('frames').map(({ missed_frames }) => missed_frames)),
    moves: of('moved').length,
  };
}

const sum = (values: (number | undefined)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0);

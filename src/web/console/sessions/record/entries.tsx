import { formatMs } from '../../parts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { TimelineEntry } from './flight-record.ts';

const t = texts.sessions;

/** Every entry in words, with its time since the request. */
export function Entries({ entries, leftOut }: { entries: TimelineEntry[]; leftOut: number }) {
  const startMs = Date.parse(entries[0]?.at ?? '');
  return (
    <details className="entries">
      <summary>{`${t.entries} (${entries.length})`}</summary>
      <ol>
        {entries.map((entry, index) => (
          <li key={index}>
            <span className="entries-at soft">{`+${formatMs(Date.parse(entry.at) - startMs)}`}</span>
            <span>{t.kinds[entry.kind]}</span>
            <span className="soft">{detailsOf(entry).join(', ')}</span>
          </li>
        ))}
      </ol>
      {leftOut > 0 && <p className="soft">{t.leftOut(leftOut)}</p>}
    </details>
  );
}

function detailsOf(entry: TimelineEntry): string[] {
  const e = t.entry;
  return [
    ...of(entry.worker_id, e.worker),
    ...of(entry.from_worker_id, e.from),
    ...of(entry.to_worker_id, e.to),
    ...of(entry.waited_ms, (ms) => e.waited(formatMs(ms))),
    ...of(entry.took_ms, (ms) => e.took(formatMs(ms))),
    ...of(entry.gap_ms, (ms) => e.gap(formatMs(ms))),
    ...of(entry.segment, e.segment),
    ...of(entry.position_seconds, (seconds) => e.played(formatMs(seconds * 1000))),
    ...(entry.interrupted ? [e.cut] : []),
    ...of(entry.frame_rate, (rate) => e.rate(rate.toFixed(1))),
    ...of(entry.missed_frames, e.missed),
    ...of(entry.quality, String),
    ...of(entry.cause, String),
    ...of(entry.reason, String),
    ...of(entry.detail, String),
  ];
}

const of = <Value,>(value: Value | undefined, say: (value: Value) => string): string[] =>
  value === undefined ? [] : [say(value)];

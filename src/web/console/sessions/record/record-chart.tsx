import { useState } from 'react';
import { formatClock, formatMs } from '../../parts/format.ts';
import { texts } from '../../texts/texts.ts';
import { LANES, type FlightRecord, type Span, type Statistics } from './flight-record.ts';

const t = texts.sessions;

const ZOOMS = [1, 4, 16];

type RecordChartProps = { record: FlightRecord; statistics: Statistics };

/** Lanes over one time axis. Wider than the page when zoomed; then it scrolls sideways. */
export function RecordChart({ record, statistics }: RecordChartProps) {
  const [zoom, setZoom] = useState(1);
  const { startMs, endMs, spans } = record;
  const length = endMs - startMs;
  const percent = (ms: number) => (Math.max(0, ms) / length) * 100;
  return (
    <div className="record">
      <div className="record-bar">
        <fieldset className="segments segments-small">
          <legend className="unseen">{t.zoom}</legend>
          {ZOOMS.map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="zoom"
                checked={zoom === value}
                onChange={() => setZoom(value)}
              />
              <span>{`${value}×`}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div className="record-frame">
        <ul className="record-names soft" aria-hidden="true">
          {LANES.map((lane) => (
            <li key={lane}>{t.lanes[lane]}</li>
          ))}
        </ul>
        {/* Focusable, because it scrolls sideways. */}
        <div className="record-scroll" tabIndex={0} role="group" aria-label={t.record}>
          <div
            className="record-plot"
            role="img"
            aria-label={t.recordText(statistics.utterances, statistics.moves)}
            style={{ width: `${zoom * 100}%` }}
          >
            {LANES.map((lane) => (
              <div key={lane} className="record-lane">
                {spans
                  .filter((span) => span.lane === lane)
                  .map((span) => (
                    <i
                      key={`${span.fromMs} ${span.label}`}
                      data-tone={span.tone}
                      title={titleOf(span, startMs)}
                      style={{
                        left: `${percent(span.fromMs - startMs)}%`,
                        width: `${percent(span.toMs - span.fromMs)}%`,
                      }}
                    />
                  ))}
              </div>
            ))}
            <Axis startMs={startMs} length={length} ticks={zoom * 4} />
          </div>
        </div>
      </div>
    </div>
  );
}

const titleOf = ({ label, fromMs, toMs }: Span, startMs: number): string =>
  toMs > fromMs
    ? `${label}: ${formatMs(toMs - fromMs)}, from ${formatMs(fromMs - startMs)}`
    : `${label}, at ${formatMs(fromMs - startMs)}`;

type AxisProps = { startMs: number; length: number; ticks: number };

function Axis({ startMs, length, ticks }: AxisProps) {
  return (
    <div className="record-axis soft">
      {Array.from({ length: ticks }, (_, index) => (
        <span key={index} style={{ left: `${(index / ticks) * 100}%` }}>
          {index === 0
            ? formatClock(new Date(startMs).toISOString())
            : `+${formatMs((length * index) / ticks)}`}
        </span>
      ))}
    </div>
  );
}

import { Facts, Figure, type Fact } from '../parts/facts.tsx';
import { formatDateTime, formatDuration, formatMs } from '../parts/format.ts';
import { Elapsed } from '../parts/time.tsx';
import type { Session } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import type { Statistics } from './record/flight-record.ts';

const t = texts.sessions;

export function SessionFacts({ session }: { session: Session }) {
  const { id, status, transport, url, created_at, video, metadata } = session;
  const minutes = session.max_session_length_minutes;
  const metadataFacts = Object.entries(metadata).map(([name, value]): Fact => ({ name, value }));
  return (
    <Facts
      facts={[
        { name: t.fact.id, value: <code>{id}</code> },
        { name: t.fact.created, value: formatDateTime(created_at) },
        { name: t.fact.length, value: <Length status={status} /> },
        {
          name: t.fact.limit,
          value: minutes === undefined ? t.fact.noLimit : t.fact.minutes(minutes),
        },
        { name: t.fact.transport, value: transport },
        { name: t.fact.room, value: <code>{url}</code> },
        { name: t.fact.video, value: `${video.width} × ${video.height}, ${video.fps} fps` },
        ...metadataFacts,
      ]}
    />
  );
}

function Length({ status }: { status: Session['status'] }) {
  switch (status.type) {
    case 'to_start':
      return texts.states.none;
    case 'ongoing':
      return <Elapsed from={status.started_at} />;
    case 'completed':
      return formatDuration(Date.parse(status.ended_at) - Date.parse(status.started_at));
  }
}

export function SessionStatistics({ statistics }: { statistics: Statistics }) {
  const s = t.statistic;
  const { firstFrameMs, frameRate, missedFrames } = statistics;
  return (
    <section className="figures figures-small" aria-label={t.statistics}>
      <Figure name={s.firstFrame} value={firstFrameMs === null ? '–' : formatMs(firstFrameMs)} />
      <Figure name={s.utterances} value={statistics.utterances} />
      <Figure name={s.interruptions} value={statistics.interruptions} />
      <Figure name={s.spoken} value={formatDuration(statistics.spokenSeconds * 1000)} />
      <Figure name={s.rate} value={frameRate === null ? '–' : frameRate.toFixed(1)} />
      <Figure name={s.missed} value={missedFrames} tone={missedFrames > 0 ? 'bad' : undefined} />
      <Figure name={s.moves} value={statistics.moves} />
    </section>
  );
}

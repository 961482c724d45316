import './sessions.css';
import './session.css';
import { useState } from 'react';
import { END_REASON_TEXTS } from '../../end-reason-texts.ts';
import { Code } from '../parts/code.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { useSay } from '../parts/notices.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { useNow } from '../parts/time.tsx';
import { Worded } from '../parts/worded.tsx';
import { useMay } from '../service/me.ts';
import { useRead, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type {
  Avatar,
  Session,
  Timeline,
} from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { Entries } from './record/entries.tsx';
import { flightRecord, statisticsOf } from './record/flight-record.ts';
import { RecordChart } from './record/record-chart.tsx';
import { SessionBadge } from './session-badge.tsx';
import { SessionFacts, SessionStatistics } from './session-facts.tsx';
import { Transcript } from './transcript.tsx';

const t = texts.sessions;

/** While a session runs, its record grows without an event. */
const LIVE_MS = 5_000;

const isLive = (session: Session | undefined): boolean => session?.status.type !== 'completed';

export function SessionPage({ id }: { id: string }) {
  const path = `/v1/sessions/${encodeURIComponent(id)}`;
  const sessionQuery = useRead<Session>(path, {
    everyMs: (session) => (isLive(session) ? LIVE_MS : false),
  });
  const everyMs = () => (isLive(sessionQuery.data) ? LIVE_MS : false);
  const timeline = useRead<Timeline>(`${path}/timeline`, { everyMs });
  const avatarId = sessionQuery.data?.avatar_id;
  const seesAvatars = useMay('avatars:read');
  const avatar = useRead<Avatar>(avatarId && seesAvatars ? `/v1/avatars/${avatarId}` : null);
  const canEnd = useMay('sessions:write');

  return (
    <Page
      title={avatar.data?.name ?? t.one(id.slice(0, 8))}
      up={{ href: '/sessions', label: t.up }}
      badge={sessionQuery.data && <SessionBadge session={sessionQuery.data} />}
      actions={
        sessionQuery.data && canEnd && isLive(sessionQuery.data) && <EndButton path={path} />
      }
    >
      <Reading query={sessionQuery} lines={6}>
        {(session) => (
          <>
            {session.end_reason && <WhyEnded session={session} reason={session.end_reason} />}
            <Reading query={timeline}>{(read) => <Record timeline={read} />}</Reading>
            <div className="session-columns">
              <Card title={t.facts}>
                <SessionFacts session={session} />
              </Card>
              {session.call_id ? (
                <Transcript callId={session.call_id} isLive={isLive(session)} />
              ) : (
                <Card title={t.curl} note={t.curlNote}>
                  <Code text={curlOf(session)} label={t.curl} />
                </Card>
              )}
            </div>
            {session.call_id && (
              <Card title={t.curl} note={t.curlNote}>
                <Code text={curlOf(session)} label={t.curl} />
              </Card>
            )}
          </>
        )}
      </Reading>
    </Page>
  );
}

function Record({ timeline: { data, left_out: leftOut } }: { timeline: Timeline }) {
  const now = useNow(1000);
  if (data.length === 0) {
    return (
      <Card title={t.record}>
        <p className="soft">{t.noRecord}</p>
      </Card>
    );
  }
  const statistics = statisticsOf(data);
  return (
    <>
      <SessionStatistics statistics={statistics} />
      <Card title={t.record} note={t.recordNote}>
        <RecordChart record={flightRecord(data, now)} statistics={statistics} />
        <Entries entries={data} leftOut={leftOut} />
      </Card>
    </>
  );
}

type WhyEndedProps = { session: Session; reason: NonNullable<Session['end_reason']> };

function WhyEnded({ session: { end_detail: detail }, reason }: WhyEndedProps) {
  const [meaning, advice] = END_REASON_TEXTS[reason];
  return (
    <Card title={t.why}>
      <div className="why">
        <p>
          <strong>{meaning}</strong> <code className="tag">{reason}</code>
        </p>
        {detail && <p className="detail">{detail}</p>}
        <p className="soft">
          <strong>{t.advice}: </strong>
          <Worded text={advice} />
        </p>
      </div>
    </Card>
  );
}

function EndButton({ path }: { path: string }) {
  const say = useSay();
  const [isAsking, setAsking] = useState(false);
  const end = useWrite(async () => {
    await call('POST', `${path}/end`);
    setAsking(false);
    say(t.ended);
  }, ['/v1/sessions', '/v1/usage']);
  return (
    <>
      <button type="button" className="button button-alarm" onClick={() => setAsking(true)}>
        {t.end}
      </button>
      {isAsking && (
        <Confirm
          title={t.endTitle}
          action={t.end}
          isBusy={end.isPending}
          error={end.error}
          act={() => end.mutate()}
          close={() => setAsking(false)}
        >
          <p>{t.endText}</p>
        </Confirm>
      )}
    </>
  );
}

function curlOf({ id }: Session): string {
  const base = `${location.origin}/v1/sessions/${id}`;
  const key = "-H 'x-api-key: YOUR_KEY'";
  return [
    `curl ${base} ${key}`,
    `curl ${base}/timeline ${key}`,
    `curl -X POST ${base}/end ${key}`,
  ].join('\n');
}

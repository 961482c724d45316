import './home.css';
import { lazy, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Figure } from '../parts/facts.tsx';
import { formatCount, formatDay } from '../parts/format.ts';
import { Card, Page } from '../parts/page.tsx';
import { Empty, Loading, Reading } from '../parts/states.tsx';
import { useLiveFleet } from '../service/live.ts';
import { useMe, useMay } from '../service/me.ts';
import { useAll, useNewest, useRead } from '../service/queries.ts';
import type {
  Avatar,
  FleetPressure,
  Session,
  Usage,
  Webhook,
  Worker,
} from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { isFailure, attentionEntries } from './attention.ts';
import { CallStills, useCallStills } from './call-stills.tsx';
import { Failures } from './failures.tsx';
import { LiveTiles } from './live-tiles.tsx';
import { UsageChart } from './usage-chart.tsx';
import { useFirstRun } from './use-first-run.ts';

const FirstSteps = lazy(async () => ({ default: (await import('../building.ts')).FirstSteps }));

const t = texts.home;

const DAY_MS = 86_400_000;
/** For what the event stream does not report, and while it is broken. */
const SLOWLY_MS = 30_000;

export function Home() {
  const firstRun = useFirstRun(SLOWLY_MS);
  switch (firstRun.type) {
    case 'reading':
      return (
        <Page title={t.title}>
          <Loading lines={6} />
        </Page>
      );
    case 'on':
      return <Overview steps={<FirstSteps {...firstRun} />} />;
    case 'over':
      return <Overview />;
  }
}

/** `steps`: in a new account, in place of figures and of all that is empty. */
function Overview({ steps }: { steps?: ReactNode }) {
  const { is_operator: isOperator } = useMe();
  const [dayAgo] = useState(() => new Date(Date.now() - DAY_MS).toISOString());
  useLiveFleet(isOperator);
  const canUsage = useMay('usage:read');
  const usage = useRead<Usage>(canUsage ? '/v1/usage' : null, { everyMs: SLOWLY_MS });
  const live = useNewest<Session>('/v1/sessions?status=ongoing', SLOWLY_MS);
  const starting = useNewest<Session>('/v1/sessions?status=to_start', SLOWLY_MS);
  const recent = useNewest<Session>(`/v1/sessions?status=completed&from=${dayAgo}`, SLOWLY_MS);
  const webhooks = useAll<Webhook>(useMay('webhooks:read') ? '/v1/webhooks' : null);
  const avatars = useAll<Avatar>(useMay('avatars:read') ? '/v1/avatars' : null);
  const workers = useRead<{ data: Worker[] }>(isOperator ? '/v1/fleet/workers' : null);
  const pressure = useRead<FleetPressure>(isOperator ? '/v1/fleet/pressure' : null);
  const showsCalls = useCallStills();
  const failures = recent.data?.data.filter(isFailure);
  const showsLive = !steps || Boolean(live.data?.data.length || starting.data?.data.length);
  const entries = attentionEntries({
    usage: usage.data,
    failures,
    webhooks: webhooks.data?.data,
    avatars: avatars.data?.data,
    workers: workers.data?.data,
    pressure: pressure.data,
  });

  return (
    <Page title={t.title}>
      {steps ?? (
        <div className="figures">
          {usage.data && <UsageFigures usage={usage.data} />}
          {recent.data && failures && (
            <Figure
              name={t.failures}
              value={failures.length}
              note={t.failuresOf(recent.data.data.length, recent.data.has_more)}
              tone={failures.length > 0 ? 'bad' : undefined}
            />
          )}
        </div>
      )}
      <div className="home-columns">
        <div className="stack-large">
          {showsLive && (
            <Card title={t.live} actions={<Link href="/sessions">{t.allSessions}</Link>}>
              <Reading query={live}>
                {({ data }) => {
                  const sessions = [...(starting.data?.data ?? []), ...data];
                  return (
                    <>
                      {sessions.length > 0 ? (
                        <LiveTiles
                          sessions={sessions}
                          avatars={avatars.data?.data ?? []}
                          showsCalls={showsCalls}
                        />
                      ) : (
                        <Empty title={t.noLive} text={t.noLiveText}>
                          <Link className="button" href="/start">
                            {t.quickStart}
                          </Link>
                        </Empty>
                      )}
                      <CallStills
                        areShown={showsCalls}
                        hasCalls={sessions.some(({ call_id }) => call_id)}
                      />
                    </>
                  );
                }}
              </Reading>
            </Card>
          )}
          {!steps && canUsage && <UsageChart />}
        </div>
        <div className="stack-large">
          {(!steps || entries.length > 0) && (
            <Card title={t.attention}>
              {entries.length === 0 ? (
                <p className="all-well">{t.allWell}</p>
              ) : (
                <ul className="things">
                  {entries.map(({ text, href, isUrgent }) => (
                    <li key={text} data-urgent={isUrgent}>
                      <Link href={href}>{text}</Link>
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          )}
          {(!steps || (failures && failures.length > 0)) && (
            <Card title={t.lastFailures}>
              {failures && <Failures sessions={failures.slice(0, 5)} />}
            </Card>
          )}
        </div>
      </div>
    </Page>
  );
}

function UsageFigures({ usage }: { usage: Usage }) {
  const { minutes_used: used, minutes_limit: limit } = usage;
  return (
    <>
      <Figure name={t.live} value={usage.sessions_live} note={t.liveOf(usage.sessions_limit)} />
      <Figure
        name={t.minutes}
        value={formatCount(used)}
        note={
          <>
            {limit !== null && (
              <meter className="meter" min={0} max={limit} value={used} aria-label={t.minutes} />
            )}
            {t.minutesOf(limit)}
          </>
        }
        tone={limit !== null && used >= limit ? 'bad' : undefined}
      />
      <Figure
        name={t.plan}
        value={<span className="plan">{usage.plan}</span>}
        note={t.renews(formatDay(usage.period.ends_at))}
      />
    </>
  );
}

import { Badge } from '../parts/badge.tsx';
import { Card } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { Ago } from '../parts/time.tsx';
import { useRead } from '../service/queries.ts';
import { texts } from '../texts/texts.ts';

const t = texts.operate.alerts;

type Alert = {
  name: string;
  state: 'firing' | 'pending';
  severity: 'critical' | 'warning';
  summary: string;
  about: string | null;
  since: string;
  for_minutes: number;
  advice: string;
  runbook: string;
};

type Alerts = {
  data: Alert[];
  judged: string[];
  not_judged: { name: string; reason: string }[];
};

const SLOWLY_MS = 15_000;

/** The alerts that would fire, as far as the service can judge them. */
export function AlertsCard() {
  const alerts = useRead<Alerts>('/v1/fleet/alerts', { everyMs: SLOWLY_MS });
  return (
    <Card title={t.title} note={t.note}>
      <Reading query={alerts}>
        {({ data, judged, not_judged }) => (
          <div className="stack">
            {data.length === 0 ? (
              <p>
                <Badge tone="good">{t.none}</Badge>
              </p>
            ) : (
              <ul className="rows">
                {data.map((alert) => (
                  <Row key={`${alert.name} ${alert.about}`} alert={alert} />
                ))}
              </ul>
            )}
            <details>
              <summary>{t.judged(judged.length, not_judged.length)}</summary>
              <dl className="unjudged">
                {not_judged.map(({ name, reason }) => (
                  <div key={name}>
                    <dt>
                      <code>{name}</code>
                    </dt>
                    <dd className="soft">{reason}</dd>
                  </div>
                ))}
              </dl>
            </details>
          </div>
        )}
      </Reading>
    </Card>
  );
}

function Row({ alert }: { alert: Alert }) {
  const { name, state, severity, summary, since, for_minutes, advice, runbook } = alert;
  const isFiring = state === 'firing';
  return (
    <li>
      <div className="row-main">
        <strong>{summary}</strong>
        <span>{advice}</span>
        <span className="soft">
          {name}, {t.since} <Ago at={since} />
          {!isFiring && `, ${t.firesAfter(for_minutes)}`}
        </span>
      </div>
      <Badge tone={isFiring && severity === 'critical' ? 'bad' : 'waiting'}>
        {isFiring ? t.severities[severity] : t.pending}
      </Badge>
      <a className="button button-small" href={runbook} aria-label={t.runbookOf(name)}>
        {t.runbook}
      </a>
    </li>
  );
}

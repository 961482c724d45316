import './operate.css';
import { AbilityCard } from '../agents/ability-card.tsx';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Facts } from '../parts/facts.tsx';
import { formatMs } from '../parts/format.ts';
import { Card, Page } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useRead } from '../service/queries.ts';
import type {
  FleetAudit,
  ServiceHealth,
} from '../../../clients/typescript/src/generated/models.ts';
import { AlertsCard } from './alerts-card.tsx';
import { SpeechModelsCard } from './speech-models-card.tsx';
import { texts } from '../texts/texts.ts';

const t = texts.operate;

const tones: Record<ServiceHealth['data'][number]['status'], Tone> = {
  ok: 'good',
  warning: 'waiting',
  failed: 'bad',
};

const SLOWLY_MS = 10_000;

export function HealthPage() {
  const health = useRead<ServiceHealth>('/v1/fleet/health', { everyMs: SLOWLY_MS });
  const audit = useRead<FleetAudit>('/v1/fleet/audit', { everyMs: SLOWLY_MS });
  const mayReadAgents = useMay('agents:read');
  return (
    <Page title={t.health} lede={t.healthLede}>
      <AlertsCard />
      <Reading query={health} lines={6}>
        {({ data, version, migration }) => (
          <>
            <ul className="checks-list">
              {data.map(({ name, status, detail, latency_ms }) => (
                <li key={name} className="card">
                  <h2>{t.checks[name] ?? name}</h2>
                  <Badge tone={tones[status]}>{t.statuses[status]}</Badge>
                  {latency_ms !== null && <p className="soft">{t.latency(formatMs(latency_ms))}</p>}
                  {detail && <p className="detail">{detail}</p>}
                </li>
              ))}
            </ul>
            <Card title={t.version}>
              <Facts
                facts={[
                  { name: t.version, value: version },
                  {
                    name: t.migration,
                    value: `${migration.own}, ${migration.is_newer ? t.migrationNewer : t.migrationCurrent}`,
                  },
                ]}
              />
            </Card>
          </>
        )}
      </Reading>
      {mayReadAgents && (
        <AbilityCard path="/v1/abilities" title={t.abilities} note={t.abilitiesNote} />
      )}
      <SpeechModelsCard />
      <Card title={t.agreement} note={t.agreementNote}>
        <Reading query={audit}>{(report) => <Agreement audit={report} />}</Reading>
      </Card>
    </Page>
  );
}

function Agreement({ audit }: { audit: FleetAudit }) {
  const { agrees, differences, ...counts } = audit;
  return (
    <div className="stack">
      <p>
        <Badge tone={agrees ? 'good' : 'waiting'}>
          {agrees ? t.agrees : t.differs(differences.length)}
        </Badge>
      </p>
      <Facts
        facts={(Object.keys(t.counts) as (keyof typeof t.counts)[]).map((name) => ({
          name: t.counts[name],
          value: counts[name] ?? '–',
        }))}
      />
      {differences.length > 0 && (
        <ul className="rows">
          {differences.map(({ kind, session_id, worker_id, repaired }) => (
            <li key={`${kind} ${session_id} ${worker_id}`}>
              <code>{kind}</code>
              <span className="soft">{session_id ?? worker_id}</span>
              {repaired && <Badge tone="good">{t.repaired}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

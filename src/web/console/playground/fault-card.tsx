import { Link } from 'wouter';
import { localFirefoxAdvice } from '../../call/texts/local-firefox.ts';
import { Card } from '../parts/page.tsx';
import { Problem } from '../parts/states.tsx';
import { Worded } from '../parts/worded.tsx';
import { useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import { playground as t } from '../texts/playground.ts';
import type { Fault } from './diagnosis.ts';
import { faultText } from './fault-texts.ts';
import type { RoomPhase } from './playground-room.ts';
import type { Place } from './room-choice.tsx';

type Props = { phase: RoomPhase; faults: Fault[]; isDone: boolean; own: Place['own'] };

export function FaultCard({ phase, faults, isDone, own }: Props) {
  return (
    <Card title={t.faults}>
      {/* Always in the page, so that screen readers hear its changes. */}
      <ul className="playground-faults" aria-live="polite">
        {phase.type === 'over' && <Over phase={phase} />}
        {faults.map((fault) => (
          <li key={fault.type}>
            <strong>
              <Worded text={faultText(fault).title} />
            </strong>
            <p>
              <Worded text={faultText(fault).advice} />
            </p>
            {fault.type === 'no_agent' && own && <AskAgain {...own} />}
            {'why' in fault && 'sessionId' in fault.why && (
              <Link href={`/sessions/${fault.why.sessionId}`}>{t.session}</Link>
            )}
          </li>
        ))}
      </ul>
      {phase.type !== 'over' && faults.length === 0 && (
        <p className="soft">{isDone ? t.allWell : t.waiting}</p>
      )}
    </Card>
  );
}

function Over({ phase: { reason, detail } }: { phase: Extract<RoomPhase, { type: 'over' }> }) {
  const [title, advice] = t.overs[reason]!;
  return (
    <li>
      <strong>{title}.</strong>
      <p>
        {advice}
        {reason === 'unreachable' && localFirefoxAdvice()}
      </p>
      {detail && <p className="detail">{detail}</p>}
    </li>
  );
}

function AskAgain({ name, agentName }: NonNullable<Place['own']>) {
  const path = `/v1/playground/rooms/${name}`;
  const ask = useWrite(() => call('POST', `${path}/dispatches`, { agent_name: agentName }), [path]);
  return (
    <>
      <button
        type="button"
        className="button button-small"
        disabled={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {t.askAgain}
      </button>
      {ask.error && <Problem error={ask.error} />}
    </>
  );
}

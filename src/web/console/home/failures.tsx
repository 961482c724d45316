import { Link } from 'wouter';
import { END_REASON_TEXTS } from '../../end-reason-texts.ts';
import { Ago } from '../parts/time.tsx';
import type { Session } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

export function Failures({ sessions }: { sessions: Session[] }) {
  if (sessions.length === 0) return <p className="all-well">{texts.home.noFailures}</p>;
  return (
    <ul className="failures">
      {sessions.map(({ id, end_reason: reason, end_detail: detail, created_at }) => (
        <li key={id}>
          <Link href={`/sessions/${id}`}>{reason ? END_REASON_TEXTS[reason][0] : id}</Link>
          <p className="soft">
            {detail && <span className="detail">{detail}</span>}
            <Ago at={created_at} />
          </p>
        </li>
      ))}
    </ul>
  );
}

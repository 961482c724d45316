import { Link } from 'wouter';
import { ownPath } from '../../api/answers.ts';
import { Badge } from '../parts/badge.tsx';
import { Elapsed } from '../parts/time.tsx';
import type { Avatar, Session } from '../service/types.ts';
import { texts } from '../texts/texts.ts';

const t = texts.home;

/** The sessions that run now, each with the face of its avatar. */
export function LiveTiles({ sessions, avatars }: { sessions: Session[]; avatars: Avatar[] }) {
  return (
    <ul className="tiles">
      {sessions.map((session) => (
        <li key={session.id}>
          <Tile session={session} avatar={avatars.find(({ id }) => id === session.avatar_id)} />
        </li>
      ))}
    </ul>
  );
}

function Tile({ session, avatar }: { session: Session; avatar: Avatar | undefined }) {
  const { id, status, created_at, call_id } = session;
  const isLive = status.type === 'ongoing';
  return (
    <Link className="tile" href={`/sessions/${id}`}>
      <span className="tile-face">
        {avatar && <img src={ownPath(avatar.picture) ?? ''} alt="" loading="lazy" />}
      </span>
      <span className="tile-words">
        <span className="tile-name">{avatar?.name ?? id.slice(0, 8)}</span>
        <span className="soft">
          {call_id ? `${texts.sessions.call} · ` : ''}
          {isLive ? `${t.since} ` : `${t.waiting} `}
          <Elapsed from={isLive ? status.started_at : created_at} />
        </span>
        <Badge tone={isLive ? 'live' : 'waiting'}>
          {texts.sessions.states[isLive ? 'ongoing' : 'to_start']}
        </Badge>
      </span>
    </Link>
  );
}

import { useRef } from 'react';
import { Link } from 'wouter';
import { ownPath } from '../../api/answers.ts';
import { Badge } from '../parts/badge.tsx';
import { useInSight } from '../parts/in-sight.ts';
import { Elapsed } from '../parts/time.tsx';
import { useStill } from '../service/still.ts';
import type { Avatar, Session } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.home;

type LiveTilesProps = { sessions: Session[]; avatars: Avatar[]; showsCalls: boolean };

/** The sessions that run now, each with what its avatar shows. */
export function LiveTiles({ sessions, avatars, showsCalls }: LiveTilesProps) {
  return (
    <ul className="tiles">
      {sessions.map((session) => (
        <li key={session.id}>
          <Tile
            session={session}
            avatar={avatars.find(({ id }) => id === session.avatar_id)}
            showsStills={showsCalls || !session.call_id}
          />
        </li>
      ))}
    </ul>
  );
}

type TileProps = { session: Session; avatar: Avatar | undefined; showsStills: boolean };

function Tile({ session, avatar, showsStills }: TileProps) {
  const { id, status, created_at, call_id } = session;
  const isLive = status.type === 'ongoing';
  return (
    <Link className="tile" href={`/sessions/${id}`}>
      <Face sessionId={id} avatar={avatar} showsStills={isLive && showsStills} />
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

type FaceProps = { sessionId: string; avatar: Avatar | undefined; showsStills: boolean };

/** The avatar's picture, until there is one of the session. */
function Face({ sessionId, avatar, showsStills }: FaceProps) {
  const box = useRef<HTMLSpanElement>(null);
  const isInSight = useInSight(box);
  const still = useStill(sessionId, showsStills && isInSight);
  return (
    <span className="tile-face" ref={box}>
      {avatar && <img src={ownPath(avatar.picture) ?? ''} alt="" loading="lazy" />}
      {still && <img className="tile-still" src={still} alt="" />}
    </span>
  );
}

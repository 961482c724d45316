import { useEffect, useRef } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Link } from 'wouter';
import { ownPath } from '../../api/answers.ts';
import { isFailure } from '../home/attention.ts';
import { formatDuration } from '../parts/format.ts';
import { More } from '../parts/table.tsx';
import { Ago, Elapsed } from '../parts/time.tsx';
import type { Avatar, Session } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { SessionBadge } from './session-badge.tsx';

const t = texts.sessions;

const ROW_PX = 60;

/** The ids of a minute begin alike: they begin with the time. */
const shortId = (id: string): string => id.slice(0, 13);

type SessionTableProps = {
  sessions: Session[];
  avatars: Avatar[];
  hasMore: boolean;
  isLoading: boolean;
  /** The last attempt to load more. */
  hasFailed: boolean;
  loadMore: () => void;
};

/** Only the rows in sight are in the page: thousands of sessions scroll like ten. */
export function SessionTable(props: SessionTableProps) {
  const { sessions, avatars, hasMore, isLoading, hasFailed, loadMore } = props;
  const body = useRef<HTMLDivElement>(null);
  const virtual = useWindowVirtualizer({
    count: sessions.length,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollMargin: body.current?.offsetTop ?? 0,
  });
  const rows = virtual.getVirtualItems();
  const lastIndex = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoading && !hasFailed && lastIndex >= sessions.length - 10) loadMore();
  }, [hasMore, isLoading, hasFailed, lastIndex, loadMore, sessions.length]);

  return (
    <>
      <p className="soft list-count" role="status">
        {isLoading ? t.loadingMore : t.loaded(sessions.length, !hasMore)}
      </p>
      <div
        className="session-table"
        role="table"
        aria-label={t.title}
        aria-rowcount={hasMore ? -1 : sessions.length + 1}
      >
        <div role="rowgroup">
          <div className="session-row session-row-head" role="row" aria-rowindex={1}>
            {Object.values(t.columns).map((name) => (
              <span key={name} role="columnheader">
                {name}
              </span>
            ))}
          </div>
        </div>
        <div
          ref={body}
          className="session-rows"
          role="rowgroup"
          style={{ height: virtual.getTotalSize() }}
        >
          {rows.map(({ index, start }) => {
            const session = sessions[index]!;
            return (
              <div
                key={session.id}
                className="session-row"
                role="row"
                aria-rowindex={index + 2}
                style={{
                  height: ROW_PX,
                  transform: `translateY(${start - virtual.options.scrollMargin}px)`,
                }}
              >
                <SessionCells
                  session={session}
                  avatar={avatars.find(({ id }) => id === session.avatar_id)}
                />
              </div>
            );
          })}
        </div>
      </div>
      {hasFailed && <More hasMore={hasMore} isLoading={isLoading} load={loadMore} />}
    </>
  );
}

function SessionCells({ session, avatar }: { session: Session; avatar: Avatar | undefined }) {
  const { id, status, created_at, end_reason, call_id } = session;
  return (
    <>
      <span role="cell">
        <SessionBadge session={session} />
      </span>
      <span role="cell" className="session-avatar">
        {avatar && <img src={ownPath(avatar.picture) ?? ''} alt="" loading="lazy" />}
        {avatar?.name}
        {call_id && <span className="tag">{t.call}</span>}
      </span>
      <span role="cell" className="session-id">
        <Link href={`/sessions/${id}`} aria-label={t.one(id)}>
          {shortId(id)}
        </Link>
      </span>
      <span role="cell" className="soft">
        <Ago at={created_at} />
      </span>
      <span role="cell" className="session-length">
        {status.type === 'ongoing' && <Elapsed from={status.started_at} />}
        {status.type === 'completed' &&
          formatDuration(Date.parse(status.ended_at) - Date.parse(status.started_at))}
      </span>
      <span role="cell" className={isFailure(session) ? 'session-failed' : 'soft'}>
        {end_reason}
      </span>
    </>
  );
}

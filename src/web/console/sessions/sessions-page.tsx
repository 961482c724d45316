import './sessions.css';
import { Link, useSearchParams } from 'wouter';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { useMay } from '../service/me.ts';
import { useAll, useList } from '../service/queries.ts';
import type { Avatar, Session } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { queryOf, readFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { SessionTable } from './session-table.tsx';

const t = texts.sessions;

export function SessionsPage() {
  const [query, setQuery] = useSearchParams();
  const filter = readFilter(query);
  const parameters = queryOf(filter).toString();
  const list = useList<Session>(`/v1/sessions${parameters && `?${parameters}`}`, {
    everyMs: 30_000,
  });
  const avatars = useAll<Avatar>(useMay('avatars:read') ? '/v1/avatars' : null);
  return (
    <Page title={t.title} lede={t.lede}>
      <FilterBar
        filter={filter}
        avatars={avatars.data?.data ?? []}
        change={(changed) => setQuery(queryOf(changed), { replace: true })}
      />
      {list.error && !list.items && (
        <Problem error={list.error} again={() => void list.refetch()} />
      )}
      {!list.items && !list.error && <Loading lines={8} />}
      {list.items && list.items.length > 0 && (
        <SessionTable
          sessions={list.items}
          avatars={avatars.data?.data ?? []}
          hasMore={list.hasNextPage}
          isLoading={list.isFetchingNextPage}
          hasFailed={list.isFetchNextPageError}
          loadMore={() => void list.fetchNextPage()}
        />
      )}
      {list.items?.length === 0 && (parameters ? <NoneFound /> : <None />)}
    </Page>
  );
}

const NoneFound = () => (
  <Empty title={t.noneFound} text={t.noneFoundText}>
    <Link className="button" href="/sessions">
      {t.clear}
    </Link>
  </Empty>
);

const None = () => (
  <Empty title={t.none} text={t.noneText}>
    <Link className="button button-lit" href="/start">
      {texts.shell.pages.start}
    </Link>
  </Empty>
);

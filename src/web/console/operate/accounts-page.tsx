import { useState } from 'react';
import { useSay } from '../parts/notices.tsx';
import { formatCount } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Loading, Problem, Reading } from '../parts/states.tsx';
import { More, Table } from '../parts/table.tsx';
import { Ago } from '../parts/time.tsx';
import { useList, useRead, useWrite } from '../service/queries.ts';
import { call } from '../service/service.ts';
import type { Usage } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { AccountDomains } from './account-domains.tsx';
import { NewAccount } from './new-account.tsx';

const t = texts.accounts;

const PATH = '/admin/accounts';
const PLANS = ['free', 'creator', 'growth', 'scale', 'unlimited'];

type Account = { id: string; name: string; plan: string; pool: string | null; created_at: string };

/** All accounts of the installation, with their plans and what they use of them. */
export function AccountsPage() {
  const list = useList<Account>(PATH);
  const [isMaking, setMaking] = useState(false);
  const make = (
    <button type="button" className="button button-lit" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t.make}
    </button>
  );
  return (
    <Page title={t.title} lede={t.lede} actions={make}>
      {!list.items && (list.error ? <Problem error={list.error} /> : <Loading lines={6} />)}
      {list.items && (
        <Table label={t.title} columns={Object.values(t.columns)}>
          {list.items.map((account) => (
            <AccountRow key={account.id} account={account} />
          ))}
        </Table>
      )}
      <More
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        load={() => void list.fetchNextPage()}
      />
      {isMaking && <NewAccount path={PATH} plans={PLANS} close={() => setMaking(false)} />}
    </Page>
  );
}

function AccountRow({ account }: { account: Account }) {
  const { id, name, plan, pool, created_at } = account;
  const path = `${PATH}/${id}`;
  const usage = useRead<Usage>(`${path}/usage`);
  const say = useSay();
  const [isEditing, setEditing] = useState(false);
  const change = useWrite(
    async (chosen: string) => {
      await call('PATCH', path, { plan: chosen });
      say(t.planChanged(name));
    },
    [PATH],
  );
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label={t.columns.plan}>
        <select
          aria-label={t.planOf(name)}
          value={plan}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.target.value)}
        >
          {PLANS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        {change.error && <Problem error={change.error} />}
      </td>
      <td data-label={t.columns.minutes}>
        <Reading query={usage} lines={1}>
          {({ minutes_used: used, minutes_limit: limit }) => (
            <Used used={Math.round(used)} limit={limit} />
          )}
        </Reading>
      </td>
      <td data-label={t.columns.sessions}>
        {usage.data && <Used used={usage.data.sessions_live} limit={usage.data.sessions_limit} />}
      </td>
      <td className="soft" data-label={t.columns.pool}>
        {pool ?? t.defaultPool}
      </td>
      <td className="soft" data-label={t.columns.created}>
        <Ago at={created_at} />
      </td>
      <td>
        <button
          type="button"
          className="button button-small"
          aria-label={t.domains.title(name)}
          onClick={() => setEditing(true)}
        >
          {t.domains.open}
        </button>
        {isEditing && <AccountDomains account={account} close={() => setEditing(false)} />}
      </td>
    </tr>
  );
}

/** A bar for the share of the limit. */
function Used({ used, limit }: { used: number; limit: number | null }) {
  if (limit === null) return <>{t.unlimited(formatCount(used))}</>;
  return (
    <span className="used">
      {t.used(formatCount(used), formatCount(limit))}
      <meter aria-hidden="true" max={limit} high={limit * 0.8} value={Math.min(used, limit)} />
    </span>
  );
}

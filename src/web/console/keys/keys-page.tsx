import { useState } from 'react';
import { CheckField } from '../parts/fields.tsx';
import { Badge } from '../parts/badge.tsx';
import { DeleteButton } from '../parts/delete-button.tsx';
import { formatDateTime } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { useMay } from '../service/me.ts';
import { useAll } from '../service/queries.ts';
import type { ApiKey } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { NewKey } from './new-key.tsx';

const t = texts.keys;

export function KeysPage() {
  const keys = useAll<ApiKey>('/v1/api-keys');
  const canWrite = useMay('api_keys:write');
  const [isMaking, setMaking] = useState(false);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const make = canWrite && (
    <button type="button" className="button button-lit" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t.make}
    </button>
  );
  return (
    <Page title={t.title} lede={t.lede} actions={make}>
      <Reading query={keys}>
        {({ data }) => {
          const visibleKeys = data.filter(({ revoked_at }) => showsRevoked || revoked_at === null);
          return (
            <>
              {data.some(({ revoked_at }) => revoked_at !== null) && (
                <CheckField
                  label={t.showRevoked}
                  isChecked={showsRevoked}
                  change={setShowsRevoked}
                />
              )}
              {visibleKeys.length === 0 ? (
                <Empty title={t.none} text={t.noneText} />
              ) : (
                <Table label={t.title} columns={Object.values(t.columns)}>
                  {visibleKeys.map((key) => (
                    <KeyRow key={key.id} apiKey={key} canWrite={canWrite} />
                  ))}
                </Table>
              )}
            </>
          );
        }}
      </Reading>
      {isMaking && <NewKey close={() => setMaking(false)} />}
    </Page>
  );
}

function KeyRow({ apiKey, canWrite }: { apiKey: ApiKey; canWrite: boolean }) {
  const { id, name, scope, scopes, expires_at, revoked_at } = apiKey;
  const now = useNow(60_000);
  const isExpired = expires_at !== null && Date.parse(expires_at) <= now;
  return (
    <tr>
      <th scope="row">
        {name} {revoked_at && <Badge tone="bad">{t.revoked}</Badge>}
        {!revoked_at && isExpired && <Badge tone="bad">{t.expired}</Badge>}
      </th>
      <td data-label={t.columns.permissions}>
        <Permissions scope={scope} scopes={scopes} />
      </td>
      <td data-label={t.columns.used}>
        <LastUse apiKey={apiKey} />
      </td>
      <td data-label={t.columns.created} className="soft">
        <Ago at={apiKey.created_at} />
      </td>
      <td data-label={t.columns.expires} className="soft">
        {expires_at ? formatDateTime(expires_at) : texts.states.never}
      </td>
      <td>
        {canWrite && !revoked_at && (
          <DeleteButton
            path={`/v1/api-keys/${id}`}
            changes={['/v1/api-keys']}
            label={t.revoke}
            title={t.revokeTitle(name)}
            text={t.revokeText}
            done={t.revokedDone}
          />
        )}
      </td>
    </tr>
  );
}

function Permissions({ scope, scopes }: Pick<ApiKey, 'scope' | 'scopes'>) {
  if (scope === 'operator') return <span className="tag">{t.operator}</span>;
  if (scopes === null) return <span className="tag">{t.all}</span>;
  return (
    <span className="tags">
      {scopes.map((scope) => (
        <span key={scope} className="tag">
          {scope}
        </span>
      ))}
    </span>
  );
}

function LastUse({ apiKey: { last_used_at: at, last_used_address: address } }: { apiKey: ApiKey }) {
  if (at === null) return <span className="soft">{texts.states.never}</span>;
  return (
    <>
      <Ago at={at} />
      {address && <span className="soft below">{t.from(address)}</span>}
    </>
  );
}

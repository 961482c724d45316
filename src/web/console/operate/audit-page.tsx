import './operate.css';
import { formatDateTime } from '../parts/format.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Loading, Problem } from '../parts/states.tsx';
import { More, Table } from '../parts/table.tsx';
import { useList } from '../service/queries.ts';
import type { AuditEntry } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';

const t = texts.operate;

export function AuditPage() {
  const list = useList<AuditEntry>('/v1/audit-log');
  return (
    <Page title={t.audit} lede={t.auditLede}>
      {!list.items && (list.error ? <Problem error={list.error} /> : <Loading lines={6} />)}
      {list.items?.length === 0 && <Empty title={t.auditNone} text={t.auditNoneText} />}
      {list.items && list.items.length > 0 && (
        <>
          <Table label={t.audit} columns={Object.values(t.columns)}>
            {list.items.map((entry) => (
              <EntryRow key={entry.id} entry={entry} />
            ))}
          </Table>
          <More
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            load={() => void list.fetchNextPage()}
          />
        </>
      )}
    </Page>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { at, actor, address, action, target_id, before, after } = entry;
  return (
    <tr>
      <td data-label={t.columns.at} className="soft nowrap">
        {formatDateTime(at)}
      </td>
      <th scope="row">
        {actor.name ?? t.actors[actor.type] ?? actor.type}
        <span className="soft below">
          {[t.actors[actor.type] ?? actor.type, address].filter(Boolean).join(', ')}
        </span>
      </th>
      <td data-label={t.columns.action}>
        <code className="tag">{action}</code>
      </td>
      <td data-label={t.columns.target}>
        <code className="soft">{target_id?.slice(0, 8)}</code>
      </td>
      <td>
        {(before ?? after) && (
          <details>
            <summary>{t.details}</summary>
            <div className="states">
              <State title={t.before} state={before} />
              <State title={t.after} state={after} />
            </div>
          </details>
        )}
      </td>
    </tr>
  );
}

function State({ title, state }: { title: string; state: AuditEntry['before'] }) {
  if (!state) return null;
  return (
    <section>
      <p className="soft">{title}</p>
      <pre tabIndex={0} role="region" aria-label={title}>
        {JSON.stringify(state, null, 2)}
      </pre>
    </section>
  );
}

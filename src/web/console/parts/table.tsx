import type { ReactNode } from 'react';
import { texts } from '../texts/texts.ts';

type TableProps = {
  label: string;
  columns: readonly string[];
  children: ReactNode;
};

/**
 * A short table. On a phone, each row becomes a list of its cells, where `data-label` of a cell is
 * the column’s name.
 */
export function Table({ label, columns, children }: TableProps) {
  return (
    <div className="table-frame" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

type MoreProps = { hasMore: boolean; isLoading: boolean; load: () => void };

export function More({ hasMore, isLoading, load }: MoreProps) {
  if (!hasMore) return null;
  return (
    <button type="button" className="button more" disabled={isLoading} onClick={load}>
      {texts.states.more}
    </button>
  );
}

import { expect, test } from 'vitest';
import { number, text } from '../../../../src/records/engine/tables/columns.ts';
import { recordRows } from '../../../../src/records/engine/tables/record-rows.ts';

const columns = {
  id: { column: 'id', codec: text },
  accountId: { column: 'account_id', codec: text },
  name: { column: 'name', codec: text },
  createdAt: { column: 'created_at', codec: number },
} as const;

test('a change cannot move a record, whatever a caller passes', () => {
  const { toColumns } = recordRows(columns);
  const request = { id: 'b', accountId: 'another', createdAt: 0, name: 'Ada' };

  expect(toColumns('a', request)).toEqual({ name: 'Ada' });
});

test('a new record is stored whole', () => {
  const { toRow } = recordRows(columns);

  expect(toRow({ id: 'a', accountId: 'mine', name: 'Ada', createdAt: 5 })).toEqual({
    id: 'a',
    account_id: 'mine',
    name: 'Ada',
    created_at: 5,
  });
});

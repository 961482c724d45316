import { describe, expect, test } from 'vitest';
import { checkClientRecord, checkWorkerRecord } from '#protocol/botroom/headers.ts';
import { RECORD, type MediaRecord, type RecordName } from '#protocol/botroom/records.ts';
import { records } from '../../../../src/web/docs/facts/botroom-records.ts';

const record = (type: RecordName, header: object | null): MediaRecord => ({
  type,
  header: { ...header },
  blob: new Uint8Array(),
});

const names = Object.keys(RECORD) as RecordName[];
const namesFrom = (from: string) =>
  [...new Set(records.filter((row) => row.from === from).map(({ name }) => name))].toSorted();

/** Says the record, not its header, is what the sender may not send. */
const isSentBy = (check: (record: MediaRecord) => void) => (name: RecordName) => {
  try {
    check(record(name, {}));
    return true;
  } catch (error) {
    return !/sends no/.test(String(error));
  }
};

describe('the table of records', () => {
  test('has every record that a client may send, and no other', () => {
    const clientRecords = names.filter(isSentBy((record) => checkClientRecord(record)));

    expect(namesFrom('you')).toEqual(clientRecords.toSorted());
  });

  test('has every record that a client may get, and no other', () => {
    const workerRecords = names.filter(isSentBy((record) => checkWorkerRecord(record)));
    // A worker's `released` stays with the relay, which itself sends the last two.
    const got = [...workerRecords.filter((name) => name !== 'released'), 'error', 'statistics'];

    expect(namesFrom('Troupe')).toEqual(got.toSorted());
  });

  test('shows headers that are valid', () => {
    for (const { name, from, header } of records) {
      if (from === 'you') checkClientRecord(record(name, header));
      else if (name !== 'error' && name !== 'statistics') checkWorkerRecord(record(name, header));
    }
  });

  test('names each type as it is on the wire', () => {
    for (const { name, type } of records) expect(Number(type), name).toBe(RECORD[name]);
  });
});

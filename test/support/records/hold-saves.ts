import type { SessionRecords } from '../../../src/records/sessions/sessions.ts';

/** Holds the next save of a state until the test lets it succeed or fail. */
export function holdSaves(records: SessionRecords) {
  const begun = Promise.withResolvers<void>();
  const verdict = Promise.withResolvers<void>();
  const save = records.updateState.bind(records);
  records.updateState = async (session, fields) => {
    records.updateState = save;
    begun.resolve();
    await verdict.promise;
    return save(session, fields);
  };
  return {
    begun: begun.promise,
    goOn: () => verdict.resolve(),
    fail: () => verdict.reject(new Error('the database is away')),
  };
}

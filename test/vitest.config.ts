import { defineConfig } from 'vitest/config';
import { testsThatReach } from './support/import-graph.ts';
import { FileOrder } from './support/file-order.ts';
import { PATIENCE_MS } from './support/patience.ts';

/**
 * They spawn, limit and kill processes, or measure their own.
 */
const processes = [
  'test/bench/api/api-floor.test.ts',
  'test/clients/install-lines.test.ts',
  'test/clients/python-sdk/python-sdk.test.ts',
  'test/cli/troupe.test.ts',
  'test/{events,records}/kill.test.ts',
  'test/knowledge/{hostile,pdf-reader}.test.ts',
  'test/knowledge/process/*.test.ts',
  'test/main.test.ts',
  'test/shared/process/decoder-process.test.ts',
  'test/soak/processes/probed-process.test.ts',
  'test/security/{full-disk,heavy-work}.test.ts',
  'test/security/requests/{hostile-forms,json-bodies,many-requests,unread-answers,uploads}.test.ts',
  'test/start/{bootstrap,hearing,natural-voice,postgres,scripts,supervisor}.test.ts',
  'test/start/{audit,build,examples,media-server,processes}/**/*.test.ts',
  'test/workers/agent/worker.test.ts',
  'test/workers/avatar/transport/botroom/jpeg/jpeg-memory.test.ts',
  'test/workers/avatar/worker.test.ts',
  'test/workers/enrolment/**/*.test.ts',
  'test/workers/probe/command.test.ts',
  'test/workers/studio/**/*.test.ts',
];

/** Random requests, messages and orders of events, by the thousand. */
const fuzz = ['test/{botrooms,http}/fuzz.test.ts', 'test/sessions/invariants.test.ts'];

const gates = ['test/gates/*.test.ts'];

/**
 * Several control planes with PostgreSQL and Redis between them: the postgresql project runs them.
 */
const postgresqlOnly = [
  'test/http/postgres*.test.ts',
  'test/overflow/two-control-planes.test.ts',
  'test/records/engine/postgres*.test.ts',
  'test/sessions/cluster/control-planes*.test.ts',
  'test/security/costs/shared-budgets.test.ts',
  'test/chaos/chaos.test.ts',
];

const wholeService = ['test/journeys/**/*.test.ts', 'test/security/full-disk-service.test.ts'];

/** Two conversations at a time, after all other journeys. */
const vendors = ['test/journeys/vendors/{pipecat,vendors}.test.ts'];

/** Tests must not depend on the `.env` of the person who runs them. */
const NO_SETTINGS_FILE = { TROUPE_ENV_FILE: '/dev/null' };

/** For a whole test, which may wait for several things in turn. */
const TEST_PATIENCE_MS = 3 * PATIENCE_MS;

/**
 * One worker for each core. Behind journeys on a slow machine, a test takes thirty times as long as
 * alone.
 */
const inProcess = {
  maxWorkers: 2,
  isolate: false,
  // Each app leaves much behind: with the default of 16 MiB, collecting it takes a tenth of the
  // time.
  execArgv: ['--max-semi-space-size=64'],
  testTimeout: TEST_PATIENCE_MS,
  hookTimeout: TEST_PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
  env: NO_SETTINGS_FILE,
};

const withMedia = {
  // Otherwise rtc-node writes each of its steps to standard output.
  env: { NODE_ENV: 'production', ...NO_SETTINGS_FILE },
  testTimeout: TEST_PATIENCE_MS,
  hookTimeout: TEST_PATIENCE_MS,
  setupFiles: ['test/journeys/setup.ts'],
  globalSetup: 'test/support/processes/shared-service.ts',
  expect: { poll: { timeout: PATIENCE_MS } },
};

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    // Conversations at once in one journey. Faces of those that have ended stay for ten seconds
    // more.
    maxConcurrency: 3,
    sequence: { sequencer: FileOrder },
    projects: [
      {
        extends: true,
        // In one process, with SQLite: `npm run test:unit`.
        test: {
          name: 'unit',
          ...inProcess,
          include: ['test/**/*.test.ts'],
          exclude: [
            ...fuzz,
            ...gates,
            ...processes,
            ...postgresqlOnly,
            ...wholeService,
            'test/clients/**/node_modules/**',
          ],
        },
      },
      {
        extends: true,
        test: { name: 'fuzz', ...inProcess, include: fuzz },
      },
      {
        extends: true,
        // Some measure their own process.
        test: { name: 'gates', ...inProcess, isolate: true, include: gates },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          ...inProcess,
          isolate: true,
          // Photo builds and PDF readers have a low priority: beside journeys, they would wait for
          // minutes.
          sequence: { groupOrder: 2 },
          include: processes,
        },
      },
      {
        extends: true,
        // On a real PostgreSQL server: records, limits, and what several requests or control planes
        // do at once. Of all other tests, the fewest that run each statement. Left out are tests
        // whose statements and database errors all recur here, and random requests.
        test: {
          name: 'postgresql',
          ...inProcess,
          // Control planes in processes of their own wait for each other, so one more than there
          // are cores.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: [
            ...postgresqlOnly,
            ...testsThatReach('test/support/records/database.ts', [
              'test/records/**/*.test.ts',
              'test/accounts/{key-use,keys,worker-tokens}.test.ts',
              'test/accounts/erasure/retention-sweep.test.ts',
              'test/avatars/builds.test.ts',
              'test/calls/calls.test.ts',
              'test/calls/evaluation/call-evaluator.test.ts',
              'test/events/{claims,retries}.test.ts',
              'test/gateway/revoked-elsewhere.test.ts',
              'test/knowledge/{semantic-index,upload}.test.ts',
              'test/sessions/{timelines,creation/session-creation,live/deadlines}.test.ts',
              'test/sessions/ending/{end-account-sessions,session-ending}.test.ts',
              'test/http/sessions/session-filter.test.ts',
              'test/http/audit/audited-routes.test.ts',
              'test/http/console/{one-time-links,sign-in}.test.ts',
              'test/http/{account/account-routes,erasure/erasure-routes,admin/*}.test.ts',
              'test/http/audit/audit-log-routes.test.ts',
              'test/http/console/console-data.test.ts',
              'test/http/sessions/live-event-routes.test.ts',
              'test/http/export/export-routes.test.ts',
              'test/http/fleet/canary-routes.test.ts',
              'test/http/keys/key-limits.test.ts',
              'test/http/limits/{concurrency,idempotency,shared-limits,storage-limits}.test.ts',
              'test/http/webhooks/delivery-routes.test.ts',
              // Other commands open their records in the same way, and run statements of tests
              // above.
              'test/start/commands/consent.test.ts',
            ]),
          ],
          exclude: [
            'test/records/engine/sqlite.test.ts',
            // The file of SQLite is what a kill may damage.
            'test/records/kill.test.ts',
          ],
          globalSetup: 'test/support/records/postgres-project.ts',
        },
      },
      {
        extends: true,
        // Real servers, real media and a real browser.
        test: {
          name: 'journeys',
          ...withMedia,
          include: wholeService,
          exclude: vendors,
          // In-process tests run behind them and use the processor time that one journey leaves:
          // two take as long in all, and disturb each other.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'vendor-journeys',
          ...withMedia,
          include: vendors,
          maxWorkers: 1,
          // With three, faces that stay included, a slow machine has no processor time left.
          maxConcurrency: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

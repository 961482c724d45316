import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import plugin from './plugin.mjs';

RuleTester.describe = describe;
RuleTester.it = test;

const message =
  'A journey judges behaviour: wait for what happens, with `until`. Time belongs in a bench (npm run bench).';

new RuleTester().run('journey-time', plugin.rules['journey-time'], {
  valid: [
    'await until(() => reports.length > 0);',
    'new AgentPool({ clock: systemClock });',
    'new Date(session.started_at);',
    'Date.parse(session.started_at);',
    'page.setDefaultTimeout(1);',
    'record.now();',
    "import { once } from 'node:events';",
  ],
  invalid: [
    'const from = performance.now();',
    'const from = globalThis.performance.now();',
    "const from = performance['now']();",
    'const leftAt = Date.now();',
    'const from = process.hrtime();',
    'const from = process.hrtime.bigint();',
    'const at = new Date();',
    'const from = systemClock.now();',
    'const from = systemClock.elapsed();',
    'await until(() => performance.now() - from > 1_500);',
    'await page.evaluate(() => Date.now());',
    'await new Promise((resolve) => setTimeout(resolve, 200));',
    'await delay(systemClock, 200);',
    'await page.waitForTimeout(200);',
    "import { setTimeout as sleep } from 'node:timers/promises';",
    "import { performance as time } from 'node:perf_hooks';",
  ].map((code) => ({ code, errors: [{ message }] })),
});

// Adds the tests in Vitest's reports to the steps of .ci/run and prints the final line. Fails when
// anything failed.
import { readFileSync } from 'node:fs';
import path from 'node:path';

let [passed, failed] = process.argv.slice(2).map(Number);
/** Once more at the end, a line each: earlier output may be cut off. */
const summary = [];
for (const project of ['unit', 'journeys', 'vendor-journeys']) {
  try {
    const report = JSON.parse(readFileSync(`dist/test-report/${project}.json`, 'utf8'));
    passed += report.numPassedTests;
    // A file that fails to load has no failed tests. Under CI nothing may be skipped.
    const unloaded = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    const skipped = report.numPendingTests + report.numTodoTests;
    for (const file of report.testResults)
      for (const { status, fullName } of file.assertionResults)
        if (['pending', 'skipped', 'todo'].includes(status))
          console.log(`skipped: ${path.relative('.', file.name)} > ${fullName}`);
    failed += report.numFailedTests + unloaded.length + skipped;
    for (const file of report.testResults) {
      const tests = file.assertionResults.filter(({ status }) => status === 'failed');
      const failures = unloaded.includes(file)
        ? [{ fullName: 'cannot be loaded', failureMessages: [file.message] }]
        : tests;
      for (const { fullName, failureMessages } of failures) {
        const name = `${path.relative('.', file.name)} > ${fullName}`;
        const [reason = '', ...logs] = failureMessages;
        summary.push(`failed: ${name}: ${reason.split('\n', 1)[0].slice(0, 400)}`);
        console.log(`failed: ${name}`);
        console.log(reason.split('\n').slice(0, 80).join('\n'));
        if (logs.length > 0) console.log(logs.join('\n').split('\n').slice(-80).join('\n'));
      }
    }
  } catch (error) {
    console.log(`${project}: no report (${error.message})`);
    failed += 1;
  }
}
for (const line of summary) console.log(line);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

/* Process entry of `npm run first-steps`. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { exitFailed } from '#shared/process/operator-error.ts';
import { runBuilder } from './builder.ts';
import { FreshService } from './fresh-service.ts';
import { runOperator } from './operator.ts';
import { runVisitor } from './visitor.ts';
import { Walk } from './walk.ts';

const OUT = fileURLToPath(new URL('../../dist/first-steps', import.meta.url));

readCommand({
  usage: `Usage: npm run first-steps

Walks the first ten minutes of a stranger as visitor, operator and builder: clones the last commit into an empty folder, runs npm start
there, and does in Chromium and a shell what README and documentation say. Writes a picture of each step to dist/first-steps, prints how
long each took, and exits with 1 if a step fails or a goal is missed. Packages come from the registry; downloads of earlier starts are used.`,
});

// It needs packages for development, which --help does without.
const { openBrowser } = await import('../support/pages/browser.ts');

const folder = await mkdtemp(path.join(tmpdir(), 'troupe-first-steps-'));
await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
const walk = new Walk(OUT);
const browser = await openBrowser({
  args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
});
let service: FreshService | null = null;
let failure: unknown = null;
try {
  service = await walk.step('start', 'clone, and npm start', () => FreshService.start(folder));
  await runVisitor(walk, browser, service);
  await runOperator(walk, browser, service);
  await runBuilder(walk, browser, service);
  process.exitCode = walk.report() ? 0 : 1;
} catch (error) {
  walk.report();
  failure = error;
} finally {
  await browser.close();
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
}
// Exits, so it comes after everything is closed.
if (failure !== null) exitFailed(failure);

import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/process/command-line.ts';
import { buildDocs } from '../build/docs.ts';
import { buildPages } from '../build/pages.ts';
import { Guard } from '../processes/guard.ts';

readCommand({
  usage: `Usage: npm run build:pages

Builds the pages of src/web and the documentation into src/web/dist, unless their sources are unchanged. \`npm start\` does the same.
They are built by packages of their own, in src/web/packages and src/web/docs/site, which this command installs.`,
});

const guard = new Guard(systemClock);
const order = { env: process.env, guard, say: (line: string) => process.stdout.write(`${line}\n`) };
try {
  await buildPages(order);
  await buildDocs(order);
} finally {
  await guard.close();
}

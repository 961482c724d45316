import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/command-line.ts';

readCommand({
  usage: `Usage: npm run build:pages

Builds the pages of src/web into src/web/dist. \`npm start\` does this when their sources have changed.`,
});

const [{ build }, { stampPages }] = await Promise.all([import('vite'), import('../pages.ts')]);
await build({ root: fileURLToPath(new URL('../../web', import.meta.url)) });
// An image starts with the built pages, on a file system that it cannot write.
await stampPages();

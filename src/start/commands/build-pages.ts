import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/command-line.ts';

readCommand({
  usage: `Usage: npm run build:pages

Builds the pages of src/web into src/web/dist. \`npm start\` does this when their sources have changed.`,
});

const { build } = await import('vite');
await build({ root: fileURLToPath(new URL('../../web', import.meta.url)) });

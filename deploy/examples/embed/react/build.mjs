/*
 * Bundles the React page with the packages of this repository, as an installation from npm would.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const clients = '../../../../src/clients';

// Else the bundle holds React's development build.
process.env.NODE_ENV = 'production';

await build({
  configFile: false,
  logLevel: 'warn',
  root: file('.'),
  base: './',
  resolve: {
    alias: {
      '@troupe/react': file(`${clients}/react/src/index.ts`),
      '@troupe/embed': file('../../../../src/web/embed/package.ts'),
    },
  },
  build: {
    outDir: file('../built'),
    emptyOutDir: true,
    modulePreload: false,
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: { page: file('page.jsx') },
      output: { entryFileNames: '[name].js' },
    },
  },
});

/* Builds the package from the sources of `/embed.js`. The media client stays a dependency. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: file('.'),
  build: {
    target: 'es2022',
    // Keeps light-dark(), which follows the color scheme that the element inherits from its page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    lib: { entry: { embed: file('../../web/embed/package.ts') }, formats: ['es'] },
    rolldownOptions: {
      external: ['livekit-client'],
      output: { minify: true, chunkFileNames: '[name]-[hash].js' },
    },
  },
});

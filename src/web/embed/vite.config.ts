/* Builds /embed.js, which pages of other origins load. It comes after `../vite.config.ts`. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: file('.'),
  // Addresses relative to the script: the page around it is elsewhere.
  base: './',
  publicDir: false,
  build: {
    outDir: file('../dist'),
    emptyOutDir: false,
    target: 'es2022',
    // Keeps light-dark(), which follows the color scheme that the element inherits from its page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    chunkSizeWarningLimit: 800,
    // As a library: a page would get code that preloads styles.
    lib: { entry: { embed: file('embed.ts') }, formats: ['es'] },
    rolldownOptions: {
      output: {
        minify: true,
        entryFileNames: '[name].js',
        chunkFileNames: 'assets/embedded-[name]-[hash].js',
      },
    },
  },
});

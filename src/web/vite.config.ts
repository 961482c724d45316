import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Vitest sets NODE_ENV to "test", which would bundle React's development build.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  root: file('.'),
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    outDir: file('dist'),
    // `npm run build:pages` empties it, and keeps the documentation.
    emptyOutDir: false,
    target: 'es2022',
    // Every browser that knows light-dark() preloads modules.
    modulePreload: { polyfill: false },
    // The pages' content security policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: {
        front: file('index.html'),
        try: file('try/index.html'),
        room: file('room/index.html'),
        embed: file('embed/index.html'),
        refused: file('embed/refused/index.html'),
        console: file('console/index.html'),
      },
    },
  },
});

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
    emptyOutDir: true,
    target: 'es2022',
    // The pages' content security policy allows data: URLs for images only.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: {
        try: file('index.html'),
        docs: file('docs/index.html'),
        comingFrom: file('docs/coming-from/index.html'),
        botroom: file('docs/botroom/index.html'),
        ownAvatar: file('docs/own-avatar/index.html'),
        agents: file('docs/agents/index.html'),
        limits: file('docs/limits/index.html'),
        webhooks: file('docs/webhooks/index.html'),
        fleet: file('docs/fleet/index.html'),
        kubernetes: file('docs/kubernetes/index.html'),
        systemd: file('docs/systemd/index.html'),
        alerts: file('docs/alerts/index.html'),
        oneMachine: file('docs/one-machine/index.html'),
        upgrade: file('docs/upgrade/index.html'),
        disasters: file('docs/disasters/index.html'),
        security: file('docs/security/index.html'),
        workerProtocol: file('docs/worker-protocol/index.html'),
        room: file('room/index.html'),
      },
    },
  },
});

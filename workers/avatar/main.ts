import path from 'node:path';
import { readCommand } from '#shared/command-line.ts';

readCommand({
  usage: `Usage: npm run worker

Runs an avatar worker, which performs up to WORKER_SLOTS sessions for the control plane at CONTROL_URL. Needs its WORKER_TOKEN.
SIGTERM drains it. Settings are environment variables; .env.example lists them.`,
});

// rtc-node writes each of its steps to standard output unless it is told, before it is loaded, that this is no test bench.
process.env['NODE_ENV'] ??= 'production';

const MIB = 1024 ** 2;

const { avatarBuilder } = await import('../enrolment/build-avatar.ts');
const { BuiltInFaces } = await import('./built-in-faces.ts');
const { BundleCache } = await import('./bundle-cache.ts');
const { AllFaces } = await import('./faces.ts');
const { runWorker } = await import('./worker.ts');
await runWorker(async ({ config, blobs, clock, log }) => {
  const bundles = new BundleCache({
    folder: path.join(config.DATA_DIR, 'bundles'),
    maxBytes: config.BUNDLE_CACHE_MIB * MIB,
    blobs,
    clock,
    log,
  });
  const faces = new AllFaces(await BuiltInFaces.open(), bundles);
  return { faces, build: avatarBuilder(blobs) };
});

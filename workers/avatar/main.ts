import { enableCompileCache, flushCompileCache } from 'node:module';
import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';
import { exitFailed } from '#shared/process/operator-error.ts';

readCommand({
  usage: `Usage: npm run worker

Runs an avatar worker, which performs up to WORKER_SLOTS sessions for the control plane at CONTROL_URL. Needs its WORKER_TOKEN.
SIGTERM drains it. Settings are environment variables; .env.example lists them.`,
});

// Set before rtc-node loads: otherwise it logs every step to standard output.
process.env['NODE_ENV'] ??= 'production';

const MIB = 1024 ** 2;

// Halves the time to load. Applies only to imports after it.
enableCompileCache();
const { avatarBuilder } = await import('../enrolment/build-avatar.ts');
const { BuiltInAvatars } = await import('./built-in-avatars.ts');
const { Backdrops } = await import('./backdrops.ts');
const { BundleCache } = await import('./bundle-cache.ts');
const { AvatarLibrary } = await import('./avatar-library.ts');
const { runWorker } = await import('./worker.ts');
await runWorker(async ({ config, blobs, clock, log }) => {
  const bundles = new BundleCache({
    folder: path.join(config.DATA_DIR, 'bundles'),
    maxBytes: config.BUNDLE_CACHE_MIB * MIB,
    blobs,
    clock,
    log,
  });
  const avatars = new AvatarLibrary({
    builtIn: await BuiltInAvatars.open(clock),
    bundles,
    backdrops: new Backdrops({ blobs }),
  });
  // Node writes it on exit, which a killed process skips. No session waits yet.
  flushCompileCache();
  return { avatars, build: avatarBuilder({ blobs, log }) };
}).catch(exitFailed);

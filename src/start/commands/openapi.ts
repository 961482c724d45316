import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run openapi -- FILE

Writes the OpenAPI document of the service to FILE, with the admin API. No service needs to run.`,
  positionals: { min: 1, max: 1 },
});

// They take a second to load, and `--help` needs neither.
const { createApp } = await import('../../app.ts');
const { loadConfig } = await import('../../config.ts');
const folder = await mkdtemp(path.join(tmpdir(), 'troupe-openapi-'));
const secret = (): string => randomBytes(32).toString('hex');
try {
  const app = await createApp(
    loadConfig({
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'silent',
      WORKER_TOKEN: secret(),
      TROUPE_ADMIN_PASSWORD: secret(),
      LIVEKIT_URL: 'ws://127.0.0.1:7880',
      LIVEKIT_API_KEY: 'none',
      LIVEKIT_API_SECRET: secret(),
    }),
  );
  const { body } = await app.server.inject({ url: '/openapi.json' });
  await app.close();
  const file = path.resolve(positionals[0]!);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, body);
} finally {
  await rm(folder, { recursive: true });
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config.ts';
import { exampleSettings } from '../../../src/start/examples/example-settings.ts';
import { EXAMPLES } from '../../../src/start/examples/examples.ts';
import { keptKeys } from '../../../src/start/service-keys.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

const FOLDER = 'deploy/examples';
/** A worker, and pages that `npm run test:deploy -- embed` tests. */
const NO_APPLICATIONS = ['embed', 'python-worker'];

describe('deploy/examples', () => {
  test('has what the command runs, and no more', () => {
    const folders = readdirSync(FOLDER, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !NO_APPLICATIONS.includes(entry.name))
      .map(({ name }) => name);

    expect(Object.keys(EXAMPLES).toSorted()).toEqual(folders.toSorted());
  });

  test.each(Object.entries(EXAMPLES))('%s has its program, packages and page', (name, example) => {
    const packages = example.language === 'python' ? 'requirements.txt' : 'package.json';
    const page = readFileSync(path.join(FOLDER, name, 'README.md'), 'utf8');

    for (const file of [example.args[0]!, packages])
      expect(existsSync(path.join(FOLDER, name, file)), file).toBe(true);
    expect(page).toContain(`npm run example -- ${name}\n`);
    expect(readFileSync(path.join(FOLDER, 'README.md'), 'utf8')).toContain(`](${name}/README.md)`);
    expect(readFileSync('src/start/commands/example.ts', 'utf8')).toContain(name);
  });
});

describe('the settings of an example', () => {
  let service: BuiltApp;
  beforeEach(async () => {
    service = await buildApp({ slots: 0 });
  });
  afterEach(() => service.close());

  const settingsWith = (extraEnv: Record<string, string>) =>
    loadConfig({ ...service.place.env, ...extraEnv });

  test('have a new key that the service accepts, and the media server’s', async () => {
    const config = settingsWith({});

    const settings = await exampleSettings('kiosk', config, { TROUPE_URL: service.url });

    const { keys } = keptKeys(config.DATA_DIR);
    expect(settings).toMatchObject({
      LIVEKIT_URL: 'ws://127.0.0.1:7880',
      LIVEKIT_API_KEY: keys.mediaServerKey,
      LIVEKIT_API_SECRET: keys.mediaServerSecret,
    });
    const headers = { 'x-api-key': settings['TROUPE_API_KEY']! };
    const verified = await fetch(`${service.url}/v1/auth/verify`, { headers });
    expect(verified.status).toBe(204);
  });

  test('keep what is set', async () => {
    const set = {
      TROUPE_API_KEY: 'a key of somebody else',
      LIVEKIT_URL: 'wss://media.example',
      LIVEKIT_API_KEY: 'theirs',
      LIVEKIT_API_SECRET: 'a secret of somebody else, 32 letters',
    };

    expect(
      await exampleSettings('kiosk', settingsWith(set), { TROUPE_URL: service.url }),
    ).toMatchObject(set);
  });

  test('say how to start a service when none answers', async () => {
    const nobody = { TROUPE_URL: 'http://127.0.0.1:9' };

    await expect(exampleSettings('kiosk', settingsWith({}), nobody)).rejects.toThrow(
      'No service answers at http://127.0.0.1:9: start it with `npm start`',
    );
  });
});

/* Checks of the units without systemd. `npm run test:deploy -- systemd` boots the units. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const FOLDER = 'deploy/systemd';
const UNITS = `${FOLDER}/units`;
const services = globSync(`${UNITS}/*.service`).map((file) => path.basename(file));

/** Longest handover after DRAIN_SECONDS. */
const HANDOVER_SECONDS = 15;

/** The values of a setting, which may be given several times. */
const values = (unit: string, name: string): string[] =>
  [...readFileSync(`${UNITS}/${unit}`, 'utf8').matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(
    ([, value]) => value!,
  );

describe('the systemd units', () => {
  test.each(['troupe-worker@.service', 'troupe-agent.service'])(
    '%s gives a drain and its handover enough time',
    (unit) => {
      const [, drain] = /\bDRAIN_SECONDS=(\d+)/.exec(values(unit, 'Environment').join(' ')) ?? [];
      const [stop] = values(unit, 'TimeoutStopSec');

      expect(Number(stop)).toBeGreaterThan(Number(drain) + HANDOVER_SECONDS);
      expect(values(unit, 'Restart')).toEqual(['always']);
    },
  );

  test.each(services)('%s gets the sandbox, and runs files that exist', (unit) => {
    expect(unit).toMatch(/^troupe-/);
    // Without Node itself, which `npm ci` puts into a folder of packages.
    const files = [
      ...values(unit, 'ExecStart')
        .join(' ')
        .matchAll(/(?:src|workers|deploy)\/\S+/g),
    ].flatMap(([file]) => (file.includes('/node_modules/') ? [] : [file]));
    for (const file of files) expect(existsSync(file), file).toBe(true);
    expect(files.length > 0).toBe(unit !== 'troupe-media-server.service');
    expect([...values(unit, 'User'), ...values(unit, 'DynamicUser')]).toHaveLength(1);
    expect(values(unit, 'User')).not.toContain('root');
  });

  test('write only settings that exist', () => {
    const example = readFileSync('.env.example', 'utf8');
    const written = readFileSync(`${FOLDER}/install`, 'utf8')
      .split('\n')
      .flatMap((line) => /^([A-Z][A-Z_]+)=/.exec(line)?.[1] ?? []);

    expect(written).toContain('WORKER_TOKEN');
    for (const name of written) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
  });

  test('are all installed', () => {
    const install = readFileSync(`${FOLDER}/install`, 'utf8');

    for (const file of globSync(`${UNITS}/**/*`, { exclude: ['**/*.d'] })) {
      const kind = path.extname(file);
      expect(install).toContain(kind === '.conf' ? path.basename(file) : `/*${kind}`);
    }
  });
});

/*
 * Each npm package of each lockfile has a checksum and comes from a registry, so that downloads
 * equal the reviewed packages. Python packages: python-packages.test.ts.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Entry = { link?: boolean; integrity?: string; resolved?: string };
type Lock = { packages: Record<string, Entry> };

const files = execFileSync('git', ['ls-files', '*package-lock.json'], { encoding: 'utf8' });
const lockfiles = files.split('\n').filter(Boolean);
const read = (file: string): string => readFileSync(file, 'utf8');

/** Packages, without the folder itself, its workspaces and links to them. */
const packagesOf = (file: string) =>
  Object.entries((JSON.parse(read(file)) as Lock).packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && !link,
  );

describe('the packages of', () => {
  test.each(lockfiles)('%s have checksums', (file) => {
    const packages = packagesOf(file);

    expect(packages.length).toBeGreaterThan(0);
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  test.each(lockfiles)('%s come from a registry', (file) => {
    const elsewhere = packagesOf(file).filter(([, { resolved = '' }]) =>
      /^(git|file)/.test(resolved),
    );

    expect(elsewhere).toEqual([]);
  });
});

describe('the media server', () => {
  test('is built from modules with checksums', () => {
    const modules = [...read('deploy/media-server/go.mod').matchAll(/^\s+(\S+\.\S+) v(\S+)/gm)];
    const sums = read('deploy/media-server/go.sum');

    expect(modules.length).toBeGreaterThan(0);
    for (const [, name, version] of modules) expect(sums).toContain(`${name} v${version}`);
  });

  test('is downloaded with a checksum', () => {
    expect(read('deploy/media-server/checksums.txt')).toMatch(/^[\da-f]{64} {2}\S+$/m);
  });
});

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { installLines, lineOf } from './install-lines.ts';

const NPM = globSync('src/clients/*/package.json').map(
  (file) => JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string },
);
const PYTHON = globSync('src/clients/*/pyproject.toml');
const ARCHIVES = NPM.map(({ name, version }) => {
  const packed = name.replace('@', '').replace('/', '-');
  return `../troupe/dist/packages/${packed}-${version}.tgz`;
});

describe('lines that install our packages', () => {
  test('name no package that is not published', () => {
    const names = [
      ...NPM.map(({ name }) => name),
      ...PYTHON.map((file) => /^name = "(.+)"$/m.exec(readFileSync(file, 'utf8'))![1]!),
    ];
    expect(names).toHaveLength(6);

    const wrong = installLines().filter(({ line }) =>
      line.split(/\s+/).some((word) => names.includes(word.replaceAll(/["'`;]/g, ''))),
    );

    expect(wrong).toEqual([]);
  });

  test('name archives that npm run packages makes, of this version', () => {
    const named = installLines().flatMap(({ line }) => line.match(/\S*\.tgz\b/g) ?? []);

    expect([...new Set(named)].filter((name) => name !== 'troupe.tgz').toSorted()).toEqual(
      ARCHIVES.toSorted(),
    );
  });

  test.each(PYTHON.map((file) => path.dirname(file)))('install %s from its folder', (folder) => {
    expect(lineOf(path.basename(folder)).split(' ').slice(1)).toEqual([
      'install',
      `../troupe/${folder}`,
    ]);
  });
});

describe('the line of the README of @troupe/sdk', () => {
  let folder: string;
  afterEach(() => rm(folder, { recursive: true, force: true }));

  test('installs it beside a checkout', async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'troupe-install-'));
    const program = path.join(folder, 'program');
    await mkdir(program);
    await symlink(process.cwd(), path.join(folder, 'troupe'));
    await writeFile(path.join(program, 'package.json'), '{"private": true, "type": "module"}');
    const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
    const run = (file: string, args: string[]) =>
      promisify(execFile)(file, args, { cwd: program, env: Object.fromEntries(settings) });

    await run('sh', ['-c', lineOf('typescript')]);

    const use = "const { Troupe } = await import('@troupe/sdk'); console.log(typeof Troupe)";
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', use]);
    expect(stdout).toBe('function\n');
    expect(await readFile(path.join(program, 'package.json'), 'utf8')).toContain('troupe-sdk-');
  });
});

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DECODER_FLAGS, NOBODY, ownFiles } from '#shared/process/decoder-process.ts';

const root = path.join(import.meta.dirname, '../../..');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-decoder-'));
  writeFileSync(path.join(folder, 'secret.key'), 'secret');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the statement in a decoder process. Returns what it prints. */
function run(statement: string, values: Record<string, string> = {}): string {
  const script = `
    import { readFileSync, writeFileSync } from 'node:fs';
    import { spawnSync } from 'node:child_process';
    import { dropRoot } from ${JSON.stringify(path.join(root, 'src/shared/process/decoder-process.ts'))};
    const values = ${JSON.stringify(values)};
    try { ${statement} } catch (error) { console.log(error.code); }`;
  const args = [...DECODER_FLAGS, '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { env: {}, encoding: 'utf8' });
  return stdout.trim() || stderr;
}

describe('a decoder process', () => {
  test('reads its own code and models', () => {
    const file = path.join(root, 'package.json');

    expect(run('console.log(JSON.parse(readFileSync(values.file)).name)', { file })).toBe('troupe');
  });

  test('reads no other file', () => {
    const otherFiles = [
      path.join(folder, 'secret.key'),
      '/etc/passwd',
      path.join(root, '.env.example'),
    ];

    for (const file of otherFiles)
      expect(run('console.log(readFileSync(values.file))', { file })).toBe('ERR_ACCESS_DENIED');
  });

  test('reads the packages beside an installed package, not those above a checkout', () => {
    expect(ownFiles('/app/node_modules/troupe/dist/package')).toContain('/app/node_modules/');
    expect(ownFiles('/app/troupe')).toEqual(
      ['src/', 'workers/', 'node_modules/', 'package.json'].map((file) => `/app/troupe/${file}`),
    );
  });

  test('writes no file and starts no process', () => {
    const file = path.join(folder, 'new');

    expect(run(`writeFileSync(values.file, '')`, { file })).toBe('ERR_ACCESS_DENIED');
    expect(run(`spawnSync('true')`)).toBe('ERR_ACCESS_DENIED');
  });

  test('gives up root for good', () => {
    const identity = JSON.parse(
      run(`dropRoot();
        let canReturn = true;
        try { process.setuid(0); } catch { canReturn = process.getuid() === 0; }
        console.log(JSON.stringify([process.getuid(), process.getgid(), canReturn]));`),
    );

    const isRoot = process.getuid?.() === 0;
    const ownIdentity = [process.getuid?.(), process.getgid?.(), false];
    expect(identity).toEqual(isRoot ? [NOBODY, NOBODY, false] : ownIdentity);
  });
});

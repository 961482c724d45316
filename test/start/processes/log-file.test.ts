import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LogFile } from '../../../src/start/processes/log-file.ts';
import { ProgramLog } from '../../../src/start/processes/program-log.ts';
import { hasSmallDisks, SmallDisk } from '../../support/processes/small-disk.ts';

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('a log on a full disk', () => {
  let disk: SmallDisk;
  beforeEach(() => {
    disk = new SmallDisk(1);
  });
  afterEach(() => disk.close());

  const linesOf = (name: string) =>
    readFileSync(path.join(disk.folder, 'logs', name), 'utf8')
      .split('\n')
      .filter(Boolean);

  test('loses lines, continues when there is room, and says how many are lost', () => {
    const losses: string[] = [];
    const file = path.join(disk.folder, 'logs', 'control.log');
    const log = new LogFile({ file, onLoss: (reason) => losses.push(reason) });
    log.append('first');
    disk.fill();

    // More than what is left of the file's last block.
    const long = 'x'.repeat(8192);
    for (let line = 0; line < 3; line += 1) log.append(long);
    disk.relieve();
    log.append('last');
    log.close();

    expect(losses).toEqual([expect.stringContaining('ENOSPC')]);
    const [firstLine, gap, lastLine] = linesOf('control.log');
    expect([firstLine, lastLine]).toEqual(['first', 'last']);
    expect(JSON.parse(gap!)).toMatchObject({ level: 40, lines: 3 });
  });

  test('of a program is begun later if it cannot be created', () => {
    disk.fill();
    const shownLines: string[] = [];
    const show = (line: string) => shownLines.push(line);
    const folder = path.join(disk.folder, 'logs');
    const log = new ProgramLog({ folder, name: 'worker', level: 'warn', show });

    for (let line = 0; line < 200; line += 1) log.write('stdout', `${'x'.repeat(8192)}\n`);
    disk.relieve();
    log.write('stdout', 'there is room\n');
    log.close();

    expect(shownLines).toEqual([expect.stringMatching(/^worker: .*lines are lost.*ENOSPC/)]);
    expect(linesOf('worker.log').at(-1)).toBe('there is room');
  });

  test('and its folder are for the owner only, also those of earlier versions', () => {
    const folder = path.join(disk.folder, 'logs');
    mkdirSync(folder, { mode: 0o755 });
    writeFileSync(path.join(folder, 'old.log'), 'old\n', { mode: 0o644 });

    for (const name of ['old', 'new']) {
      const log = new LogFile({ file: path.join(folder, `${name}.log`), onLoss: () => {} });
      log.append('line');
      log.close();
    }

    const modeOf = (name: string) => statSync(path.join(folder, name)).mode & 0o777;
    expect(modeOf('.')).toBe(0o700);
    expect([modeOf('old.log'), modeOf('new.log')]).toEqual([0o600, 0o600]);
  });
});

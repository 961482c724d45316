import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ProgramLog } from '../../../src/start/processes/program-log.ts';

let folder: string;
let shownLines: string[];
let log: ProgramLog;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-log-'));
  shownLines = [];
  log = new ProgramLog({
    folder,
    name: 'worker',
    level: 'warn',
    show: (line) => shownLines.push(line),
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the log of a program', () => {
  test('keeps all lines and shows problems in short form', async () => {
    log.write(
      'stdout',
      '{"level":30,"time":"t","name":"worker","msg":"session placed"}\n{"level":40,',
    );
    log.write('stdout', '"pid":7,"msg":"link lost","sessionId":"s1"}\n');
    log.close();

    expect(shownLines).toEqual(['worker: warn link lost sessionId=s1']);
    const fileText = await readFile(path.join(folder, 'worker.log'), 'utf8');
    expect(fileText.split('\n').filter(Boolean)).toHaveLength(2);
  });

  test("understands the media server's names of levels", () => {
    log.write(
      'stderr',
      '{"level":"info","msg":"starting"}\n{"level":"error","msg":"port taken"}\n',
    );
    log.close();

    expect(shownLines).toEqual(['worker: error port taken']);
  });

  test('keeps a routine warning in the file alone', async () => {
    const warning =
      '{"level":"warn","msg":"error writing to request sink","error":"stream closed"}';
    log.write('stderr', `${warning}\n{"level":"warn","msg":"port taken"}\n`);
    log.close();

    expect(shownLines).toEqual(['worker: warn port taken']);
    expect(log.last).toEqual(['warn port taken']);
    expect(await readFile(path.join(folder, 'worker.log'), 'utf8')).toContain(warning);
  });

  test('shows only the message of an uncaught error', () => {
    log.write(
      'stderr',
      'node:internal/modules/esm/resolve:272\n    throw new X(\n          ^\nError: no such file\n    at a (b.ts:1:1)\n\nNode.js v24.21.0\n',
    );
    log.close();

    expect(shownLines).toEqual(['worker: Error: no such file']);
  });
});

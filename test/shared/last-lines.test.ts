import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { programEnv } from '../support/processes/program-env.ts';

/** A program that logs, and exits with 3 when it gets a message. */
const PROGRAM = (statement: string) => `
  import { createLog } from './src/shared/log.ts';
  const log = createLog({ name: 'test' });
  process.on('message', () => {
    ${statement}
    process.exit(3);
  });
  process.send('ready');
`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function start(statement: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM(statement)], {
    env: programEnv,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.push(child);
  await once(child, 'message');
  return child;
}

describe('the last lines of a program', () => {
  test.each([
    ['at its exit', "log.info('last');"],
    ['of a fatal error', "log.fatal('last');"],
  ])('do not keep it running when nobody reads them: %s', async (_when, statement) => {
    const child = await start(statement);
    const closed = once(child.stdout!, 'close');
    child.stdout!.destroy();
    await closed;
    child.send('go');

    expect((await once(child, 'exit'))[0]).toBe(3);
  });

  test('do not keep it running when their reader reads no more', async () => {
    const child = await start("for (let i = 0; i < 3_000; i += 1) log.info('x'.repeat(200));");
    child.stdout!.pause();
    child.send('go');

    expect((await once(child, 'exit'))[0]).toBe(3);
  });

  test('are all written for a reader, once', async () => {
    const child = await start(
      "for (let i = 0; i < 500; i += 1) log.info({ i }, 'x'.repeat(1_000)); log.fatal('last');",
    );
    let text = '';
    child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.send('go');
    await once(child, 'close');

    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { i?: number });
    expect(lines.map(({ i }) => i)).toEqual([...Array(500).keys(), undefined]);
  });
});

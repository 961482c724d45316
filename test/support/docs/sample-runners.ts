/* Run samples of the documentation as their readers would, against another address. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export type SampleRunner = {
  /** Resolves with what it prints. */
  run(text: string, env: Record<string, string>): Promise<string>;
  close(): Promise<void>;
};

/*
 * One process for each language: to start it takes longer than a request. It reads what to run line
 * by line, and answers each with a line.
 */

/** Failures must end the sample, which is what readers would notice. */
const BASH = `
curl() { command curl --silent --show-error --fail-with-body --max-time 20 "$@"; }
while read -r file; do
  (set -e; . "$file") < /dev/null > "$file.out" 2> "$file.error"
  echo $?
done
`;

const PYTHON = `
import contextlib, io, json, os, sys, traceback
for line in sys.stdin:
    sample = json.loads(line)
    os.environ.update(sample["env"])
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(sample["text"], "sample", "exec"), {"__name__": "__main__"})
        print(json.dumps({"out": out.getvalue()}), flush=True)
    except BaseException:
        print(json.dumps({"error": traceback.format_exc()}), flush=True)
`;

const NODE = `
import { createInterface } from 'node:readline';
const write = console.log;
for await (const line of createInterface({ input: process.stdin })) {
  const { env, file } = JSON.parse(line);
  Object.assign(process.env, env);
  let out = '';
  console.log = (...texts) => (out += texts.join(' ') + '\\n');
  try {
    await import(file);
    write(JSON.stringify({ out }));
  } catch (error) {
    write(JSON.stringify({ error: String(error.stack) }));
  }
}
`;

type Printed = { out: string } | { error: string };

export function shell(cwd: string): SampleRunner {
  let count = 0;
  return interpreter(
    'bash',
    ['--norc', '-c', BASH],
    cwd,
    {},
    {
      async write(text, env) {
        const file = path.join(cwd, `sample-${count++}.sh`);
        const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
        await writeFile(file, `${settings.join('\n')}\n${text}`);
        return file;
      },
      async read(status): Promise<Printed> {
        const file = path.join(cwd, `sample-${count - 1}.sh`);
        const out = await readFile(`${file}.out`, 'utf8');
        if (status === '0') return { out };
        return { error: `${status}: ${await readFile(`${file}.error`, 'utf8')}${out}` };
      },
    },
  );
}

const inJson = (line: string): Promise<Printed> => Promise.resolve(JSON.parse(line) as Printed);

export const python = (program: string, cwd: string, env: NodeJS.ProcessEnv = {}): SampleRunner =>
  interpreter(program, ['-c', PYTHON], cwd, env, {
    write: async (text, env) => JSON.stringify({ text, env }),
    read: inJson,
  });

/** TypeScript, as modules. */
export function node(cwd: string, args: string[] = []): SampleRunner {
  let count = 0;
  return interpreter(
    process.execPath,
    [...args, '--input-type=module', '--eval', NODE],
    cwd,
    {},
    {
      async write(text, env) {
        const file = path.join(cwd, `sample-${count++}.mts`);
        await writeFile(file, text);
        return JSON.stringify({ file: pathToFileURL(file).href, env });
      },
      read: inJson,
    },
  );
}

/** One line to an interpreter, and one from it. */
type Lines = {
  write: (text: string, env: Record<string, string>) => Promise<string>;
  read: (line: string) => Promise<Printed>;
};

function interpreter(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { write, read }: Lines,
): SampleRunner {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run(text, of) {
      child.stdin.write(`${await write(text, of)}\n`);
      const { value } = (await lines.next()) as IteratorResult<string, string>;
      if (value === undefined) throw new Error(`${program} has exited`);
      const printed = await read(value);
      if ('error' in printed) throw new Error(`${text}\n${printed.error}`);
      return printed.out;
    },
    async close() {
      child.stdin.end();
      await exit;
    },
  };
}

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { exitFailed } from '#shared/process/operator-error.ts';
import { examplePython } from '../examples/example-python.ts';
import { examplePorts } from '../examples/example-ports.ts';
import { exampleSettings } from '../examples/example-settings.ts';
import { EXAMPLES, VIEWER_PORT } from '../examples/examples.ts';
import { endGroup, ownGroup } from '../processes/process-group.ts';
import { readSettings } from './settings.ts';

const FOLDER = fileURLToPath(new URL('../../../deploy/examples/', import.meta.url));
const CLIENTS = fileURLToPath(new URL('../../clients/', import.meta.url));
const OWN_PACKAGES = new URL('../examples/own-packages.mjs', import.meta.url).href;

const { positionals, refuse } = readCommand({
  usage: `Usage: npm run example -- NAME

Runs an example of deploy/examples against the service that \`npm start\` runs in another terminal, until Ctrl-C. Installs what it needs once,
and gives it an API key that expires after a day. Names: livekit-agent-python, livekit-agent-node, pipecat-bot, any-tts, fastapi-webhooks, kiosk,
viewer.
The README in each folder says what it shows.`,
  positionals: { min: 1, max: 1 },
});
const name = positionals[0]!;
const example =
  EXAMPLES[name] ??
  refuse(`There is no example '${name}'. Examples: ${Object.keys(EXAMPLES).join(', ')}.`);
const folder = path.join(FOLDER, name);

try {
  const settings = await exampleSettings(name, readSettings(), process.env);
  const python = example.language === 'python' ? await examplePython(folder, say) : null;
  const usualPorts = { ...example.ports, ...(example.watch && VIEWER_PORT) };
  const ports = await examplePorts(usualPorts, process.env, say);
  const viewer = example.watch && { VIEWER_URL: `http://127.0.0.1:${ports['VIEWER_PORT']}` };
  const env = { ...process.env, ...settings, ...ports, ...viewer };
  const nodeEnv = { ...env, NODE_OPTIONS: `--import ${OWN_PACKAGES}` };
  const pythonEnv = {
    ...env,
    PYTHONPATH: ['livekit-python', 'python/src']
      .map((clientFolder) => path.join(CLIENTS, clientFolder))
      .join(path.delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const programs = [
    python
      ? start(python, example.args, folder, pythonEnv)
      : start(process.execPath, example.args, folder, nodeEnv),
  ];
  if (example.watch)
    programs.push(start(process.execPath, ['server.mjs'], path.join(FOLDER, 'viewer'), nodeEnv));
  const endAll = () => programs.forEach((program) => program.kill('SIGTERM'));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, endAll);
  const exits = programs.map(async (program) => {
    const exit = (await once(program, 'exit')) as [number | null];
    // An agent of LiveKit's framework may leave the server that forks its jobs.
    endGroup(program.pid, 'SIGKILL');
    return exit;
  });
  const [code] = await Promise.race(exits);
  endAll();
  await Promise.all(exits);
  process.exitCode = code ?? 0;
} catch (error) {
  exitFailed(error);
}

function start(
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
): ChildProcess {
  return spawn(program, args, { cwd, env, stdio: 'inherit', detached: ownGroup });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

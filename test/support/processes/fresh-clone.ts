import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Packages of the pages, which `npm start` installs in a folder of their own. */
const PAGES = 'src/web/packages';

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }> };

/**
 * A copy of this checkout with the packages that `npm start` installs, as links to ours, and an npm
 * that installs nothing: it notes its arguments in `asked`. Remove it.
 */
export class FreshClone {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<FreshClone> {
    const clone = new FreshClone(
      await realpath(await mkdtemp(path.join(tmpdir(), 'troupe-clone-'))),
    );
    const { stdout } = await promisify(execFile)(
      'git',
      ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
      { cwd: root, maxBuffer: 16 * 1024 ** 2 },
    );
    for (const file of stdout
      .split('\0')
      .filter((name) => name && existsSync(path.join(root, name))))
      await cp(path.join(root, file), path.join(clone.folder, file));
    await clone.#linkPackages();
    return clone;
  }

  /** Variables of a command: the npm that installs nothing comes first. */
  get env(): NodeJS.ProcessEnv {
    const settings = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
    const folders = [this.folder, path.dirname(process.execPath), process.env['PATH']];
    return { ...Object.fromEntries(settings), PATH: folders.join(path.delimiter) };
  }

  /** The arguments that npm was given, a line for each time. */
  async asked(): Promise<string> {
    return readFile(path.join(this.folder, 'asked'), 'utf8').catch(() => '');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  async #linkPackages(): Promise<void> {
    const modules = path.join(this.folder, 'node_modules');
    const { packages } = JSON.parse(
      await readFile(path.join(root, 'node_modules/.package-lock.json'), 'utf8'),
    ) as Lock;
    const kept = Object.entries(packages).filter(
      ([, { dev, devOptional, link }]) => !dev && !devOptional && !link,
    );
    for (const [place] of kept.filter(([place]) =>
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(place),
    )) {
      await mkdir(path.dirname(path.join(this.folder, place)), { recursive: true });
      await symlink(path.join(root, place), path.join(this.folder, place));
    }
    const lock = JSON.stringify({ packages: Object.fromEntries(kept) });
    await writeFile(path.join(modules, '.package-lock.json'), lock);
    await mkdir(path.join(this.folder, PAGES, 'node_modules'));
    const client = path.join(root, 'node_modules/livekit-client');
    await symlink(client, path.join(this.folder, PAGES, 'node_modules/livekit-client'));
    const npm = path.join(this.folder, 'npm');
    await writeFile(npm, `#!/bin/sh\necho "$@" >> ${path.join(this.folder, 'asked')}\nexit 1\n`);
    await chmod(npm, 0o755);
  }
}

import { readdir, rmdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { checkDataFolder } from '../../start/data-folder.ts';
import { minFreeBytes, type Config } from '../../config.ts';
import { ok, problem, warning, type Check } from './check.ts';

const MIB = 1024 ** 2;
const NEEDED_NODE = 24;
const BUNDLED = 'node-';

/** troupe.mjs has chosen this Node. */
export function checkNode({
  version,
  execPath,
}: Pick<NodeJS.Process, 'version' | 'execPath'>): Check {
  const major = Number.parseInt(version.slice(1), 10);
  if (major < NEEDED_NODE) {
    return problem('Node', version, `Install Node ${NEEDED_NODE} or newer (https://nodejs.org).`);
  }
  const isBundled = path.basename(path.dirname(path.dirname(execPath))).startsWith(BUNDLED);
  return ok('Node', `${version}${isBundled ? ', from the package' : ''}`);
}

/** DATA_DIR can be written, and its disk has room. Leaves no new folder behind. */
export async function checkDisk(config: Config): Promise<Check> {
  const folder = path.resolve(config.DATA_DIR);
  let isNew = false;
  try {
    ({ isNew } = await checkDataFolder(folder));
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    return problem('Disk', says, 'Then run this again.');
  }
  const { bavail, bsize } = await statfs(folder);
  if (isNew) await rmdir(folder).catch(() => {});
  const free = bavail * bsize;
  const says = `${Math.floor(free / MIB)} MiB free for ${folder}`;
  const needed = minFreeBytes(config);
  if (free >= needed * 2) return ok('Disk', says);
  const fix = `Free some space: below ${needed / MIB} MiB (MIN_FREE_MIB) the service refuses to store anything.`;
  return free < needed ? problem('Disk', says, fix) : warning('Disk', says, fix);
}

/**
 * Tokens are valid for minutes, so both sides must agree on the time. `otherClocks`: the Date
 * headers of their answers.
 */
export async function checkClock(
  now: number,
  otherClocks: { name: string; date: number | null }[],
  dataDir: string,
): Promise<Check> {
  const fix = 'Set the clock, and keep it in sync with NTP (timedatectl set-ntp true).';
  const apart = otherClocks.flatMap(({ name, date }) =>
    date === null ? [] : [{ name, seconds: Math.round((now - date) / 1000) }],
  );
  const worst = apart.toSorted((a, b) => Math.abs(b.seconds) - Math.abs(a.seconds))[0];
  if (worst && Math.abs(worst.seconds) > ALLOWED_SECONDS) {
    const says = `${Math.abs(worst.seconds)} s ${worst.seconds > 0 ? 'ahead of' : 'behind'} ${worst.name}`;
    return Math.abs(worst.seconds) > BROKEN_SECONDS
      ? problem('Clock', says, fix)
      : warning('Clock', says, fix);
  }
  const newest = await newestFile(dataDir);
  if (newest > now + ALLOWED_SECONDS * 1000) {
    return problem('Clock', `behind the newest file in ${dataDir}: it was set back`, fix);
  }
  if (!worst) return ok('Clock', `${new Date(now).toISOString()}, nothing to compare it with`);
  return ok('Clock', `agrees with ${apart.map(({ name }) => name).join(' and ')}`);
}

/** A Date header has whole seconds and was sent a moment ago. */
const ALLOWED_SECONDS = 5;
/** Room tokens with a start time fail then. */
const BROKEN_SECONDS = 60;

async function newestFile(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    names.map((name) =>
      stat(path.join(folder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.max(0, ...times);
}

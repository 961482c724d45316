import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../../..');
/** Files take whole blocks of a disk. */
const BLOCK = 4096;

type Lock = { packages: Record<string, { dev?: boolean; link?: boolean }> };

/** Bytes on disk of the packages that `npm ci --omit=dev` installs on this platform. */
export function installedSize(): number {
  const { packages } = JSON.parse(
    readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8'),
  ) as Lock;
  return Object.entries(packages)
    .filter(([place, { dev, link }]) => place !== '' && !dev && !link)
    .map(([place]) => path.join(ROOT, place))
    .filter((folder) => existsSync(folder))
    .reduce((sum, folder) => sum + sizeOf(folder), 0);
}

/** Without the packages inside, which the lockfile lists. */
function sizeOf(folder: string): number {
  let sum = BLOCK;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (!entry.isDirectory()) sum += Math.ceil(lstatSync(file).size / BLOCK) * BLOCK;
    else if (entry.name !== 'node_modules') sum += sizeOf(file);
  }
  return sum;
}

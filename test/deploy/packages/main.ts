import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';
import { root } from '../docker/engine.ts';
import { buildClients, PACKED_CLIENTS, problemsOf } from './build.ts';

const { positionals, refuse } = readCommand({
  usage: `Usage: npm run packages [-- CLIENT...]

Builds the packages of src/clients into dist/packages: tarballs for npm, wheels and sources for PyPI. Checks what they hold, and prints
how to publish them. Exit code: 1 if one must not be published.
Clients (default: all): ${PACKED_CLIENTS.join(', ')}`,
  positionals: { min: 0, max: PACKED_CLIENTS.length },
});
const unknown = positionals.find((name) => !PACKED_CLIENTS.includes(name));
if (unknown !== undefined) refuse(`There is no client '${unknown}'.`);

const say = (line: string) => process.stdout.write(`${line}\n`);
const into = path.join(root, 'dist/packages');
const built = await buildClients(positionals.length > 0 ? positionals : PACKED_CLIENTS, into);
const archives = built.flatMap((each) => each.archives);
const nameOf = (file: string) => path.relative(root, file);
for (const { file, holds } of archives) say(`${nameOf(file)}  ${holds.length} files`);
const problems = (await Promise.all(built.map(problemsOf))).flat();
for (const problem of problems) say(`problem: ${problem}`);
if (problems.length > 0) process.exit(1);

const files = archives.map(({ file }) => nameOf(file));
const forPyPI = files.filter((file) => !file.endsWith('.tgz'));
say('\nTo publish, after npm login and with a token of PyPI:');
for (const file of files.filter((each) => each.endsWith('.tgz')))
  say(`  npm publish ${file} --access public`);
if (forPyPI.length > 0) say(`  python3 -m twine upload ${forPyPI.join(' ')}`);

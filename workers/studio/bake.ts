import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readCommand } from '#shared/process/command-line.ts';
import { buildBundle } from '../bundle/build.ts';
import { decodeBundle } from '../bundle/open-bundle.ts';
import { readPictures } from '../bundle/pictures.ts';

const avatars = path.join(import.meta.dirname, '../avatar/avatars');
const { values, positionals } = readCommand({
  usage: `Usage: npm run bake -- NAME [--python PYTHON] [--draft] [--as OTHER]

Builds workers/avatar/avatars/NAME.avatar and NAME.webp from the pictures of a character in workers/studio/blender/out.
  --python PYTHON  first renders missing pictures, with a Python that has blender/requirements.txt
  --draft          low quality, in a folder of its own
  --as OTHER       writes the result under another name`,
  options: {
    draft: { type: 'boolean', default: false },
    python: { type: 'string' },
    as: { type: 'string' },
  },
  positionals: { min: 1, max: 1 },
});
const [name] = positionals as [string];
const target = values.as ?? name;

if (values.python) {
  const script = path.join(import.meta.dirname, 'blender/bake.py');
  const done = spawnSync(values.python, [script, name, ...(values.draft ? ['--draft'] : [])], {
    stdio: 'inherit',
  });
  if (done.status !== 0) throw new Error('rendering failed');
}

// Needs development packages, and `--help` none.
const { drawFace } = await import('./portrait.ts');
const folder = path.join(import.meta.dirname, 'blender/out', values.draft ? `${name}-draft` : name);
const pictures = await readPictures(folder);
const bundle = await buildBundle(pictures, target.charAt(0).toUpperCase() + target.slice(1));
const face = await decodeBundle(bundle);
await writeFile(path.join(avatars, `${target}.avatar`), bundle);
await writeFile(path.join(avatars, `${target}.webp`), await drawFace(face).encode('webp', 90));
console.log(`${target}: ${(bundle.length / 1e6).toFixed(2)} MB`);

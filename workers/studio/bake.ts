/*
 * npm run bake -- NAME [--python PYTHON] [--draft] [--as OTHER]
 *
 * Builds the committed files of a character: avatars/NAME.avatar and avatars/NAME.webp. With
 * --python (an interpreter with the studio's requirements) it first renders missing pictures;
 * otherwise it uses those in blender/out.
 */
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildBundle } from '../bundle/build.ts';
import { decodeBundle } from '../bundle/open.ts';
import { readPictures } from '../bundle/pictures.ts';
import { drawFace } from './portrait.ts';

const avatars = path.join(import.meta.dirname, '../avatar/avatars');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    draft: { type: 'boolean', default: false },
    python: { type: 'string' },
    as: { type: 'string' },
  },
});
const [name] = positionals;
if (!name) throw new Error('usage: npm run bake -- NAME [--python PYTHON] [--draft] [--as OTHER]');
const target = values.as ?? name;

if (values.python) {
  const script = path.join(import.meta.dirname, 'blender/bake.py');
  const done = spawnSync(values.python, [script, name, ...(values.draft ? ['--draft'] : [])], {
    stdio: 'inherit',
  });
  if (done.status !== 0) throw new Error('rendering failed');
}

const folder = path.join(import.meta.dirname, 'blender/out', values.draft ? `${name}-draft` : name);
const pictures = await readPictures(folder);
const bundle = await buildBundle(pictures, target.charAt(0).toUpperCase() + target.slice(1));
const face = await decodeBundle(bundle);
await writeFile(path.join(avatars, `${target}.avatar`), bundle);
await writeFile(path.join(avatars, `${target}.webp`), await drawFace(face).encode('webp', 90));
console.log(`${target}: ${(bundle.length / 1e6).toFixed(2)} MB`);

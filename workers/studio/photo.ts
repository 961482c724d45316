import { readFile, writeFile } from 'node:fs/promises';
import { readCommand } from '#shared/process/command-line.ts';
import type { Background } from '../enrolment/background/background.ts';
import { buildInChild } from '../enrolment/child.ts';
import { PictureError } from '../enrolment/picture-error.ts';

const { values, positionals } = readCommand({
  usage: `Usage: npm run photo -- PICTURE OUT.avatar [--name NAME] [--background blur|#rrggbb|FILE]

Makes an avatar from a photo, as the service does, and its still picture OUT.webp. Prints why a picture is refused.`,
  options: {
    name: { type: 'string', default: 'Photo' },
    background: { type: 'string', default: 'blur' },
  },
  positionals: { min: 2, max: 2 },
});
const [picture, out] = positionals as [string, string];

const startedAt = performance.now();
try {
  const avatar = await buildInChild(
    await readFile(picture),
    { name: values.name, background: await backgroundOf(values.background) },
    { signal: new AbortController().signal, onProgress: show },
  );
  await writeFile(out, avatar.bundle);
  await writeFile(`${out.replace(/\.avatar$/, '')}.webp`, avatar.portrait);
  console.log(`${out} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
} catch (error) {
  if (!(error instanceof PictureError)) throw error;
  console.error(`${error.reason}: ${error.message}`);
  if (error.cause) console.error(error.cause);
  process.exitCode = 1;
}

async function backgroundOf(option: string): Promise<Background> {
  if (option === 'blur') return { kind: 'blur' };
  if (/^#[0-9a-f]{6}$/i.test(option)) return { kind: 'colour', colour: option };
  return { kind: 'picture', picture: await readFile(option) };
}

function show(share: number) {
  if (process.stdout.isTTY) process.stdout.write(`\r${Math.round(100 * share)} % `);
}

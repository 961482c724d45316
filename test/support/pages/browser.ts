import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/chromium', import.meta.url));

/** A real Chromium without a window, as a person's browser behaves: its web security and its rules for sound are not loosened. */
export async function openBrowser(options: { args?: string[] } = {}): Promise<Browser> {
  const folder = await unpacked();
  const launch: LaunchOptions = {
    executablePath: path.join(folder, 'chromium'),
    // Root has no sandbox to offer. Without a graphics card an imitated one costs most of a core, and a test that reads a picture of a
    // video waits seconds for it: drawn by the CPU alone a video keeps its 25 pictures a second.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-gpu-memory-buffer-video-frames',
      ...(options.args ?? []),
    ],
    env: { ...process.env, FONTCONFIG_FILE: path.join(folder, 'fonts.conf') },
  };
  return chromium.launch(launch);
}

/**
 * The package unpacks its 200 MB into the temporary folder and takes a half-written file for a whole one. So it is done once, in a
 * folder that gets its name when all is there; whoever comes second finds it or loses the race without harm.
 */
async function unpacked(): Promise<string> {
  const folder = path.join(cache, await packedVersion());
  if (existsSync(folder)) return folder;

  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(path.join(cache, 'draft-'));
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = draft;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
  await writeFile(path.join(draft, 'fonts.conf'), fontsIn(path.join(folder, 'fonts')));
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  return folder;
}

async function packedVersion(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
  const text = await readFile(path.join(path.dirname(entry), '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Chromium ends at the first text field when it finds no font at all; the package brings one, for a place of its own choosing. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
  <cachedir>${folder}-cache</cachedir>
</fontconfig>
`;

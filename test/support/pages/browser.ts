import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { PATIENCE_MS } from '../patience.ts';
import { sessionPriorityOf } from '../processes/session-priority.ts';

const cache = fileURLToPath(new URL('../../../node_modules/.cache/chromium', import.meta.url));

const starter = fileURLToPath(new URL('chromium.sh', import.meta.url));

/** Headless Chromium with the web security and autoplay rules of a normal browser. */
export async function openBrowser(options: { args?: string[] } = {}): Promise<Browser> {
  const folder = await unpacked();
  const launch: LaunchOptions = {
    executablePath: starter,
    // Root has no sandbox. Without a graphics card, software GL takes most of a core, and a test
    // that reads a video frame waits seconds for it; with plain CPU drawing a video keeps its 25
    // frames a second.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-gpu-memory-buffer-video-frames',
      ...(options.args ?? []),
    ],
    env: {
      ...process.env,
      CHROMIUM: path.join(folder, 'chromium'),
      SESSION_PRIORITY: sessionPriorityOf(process.pid)?.toString(),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
  const browser = await chromium.launch(launch);
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}

/**
 * The package unpacks 200 MB into the temporary folder and takes a half-written file for a complete
 * one. So unpack once, in a folder that is renamed when complete. A second process finds the folder
 * or loses the rename race harmlessly.
 */
async function unpacked(): Promise<string> {
  const folder = path.join(cache, await packedVersion());
  if (existsSync(folder)) return folder;

  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(path.join(cache, 'draft-'));
  const previousFolder = process.env['TMPDIR'];
  process.env['TMPDIR'] = draft;
  try {
    const { default: packed } = await import('@sparticuz/chromium');
    await packed.executablePath();
  } finally {
    if (previousFolder === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = previousFolder;
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

/** Chromium crashes at a text field without a font. The package brings one, for its own path. */
const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>/usr/share/fonts</dir>
  <include ignore_missing="yes">/etc/fonts/conf.d</include>
  <cachedir>${folder}-cache</cachedir>
</fontconfig>
`;

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/pages/browser.ts';
import { startService, type RunningService } from '../support/processes/service.ts';
import { command } from './command.ts';
import { expectThat } from './expect-that.ts';
import { withTranscript, type Transcript } from './transcript.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

/*
 * Follows the steps of embedding an agent with the packages: packs @troupe/embed and @troupe/react,
 * installs both into an empty folder, bundles the React page of the example there, and calls an
 * agent from it in a browser.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const example = path.join(root, 'deploy/examples/embed');

const BUNDLE = `import { build } from 'vite';
await build({
  configFile: false,
  logLevel: 'warn',
  base: './',
  build: {
    outDir: 'built',
    modulePreload: false,
    rolldownOptions: { input: { page: 'react/page.jsx' }, output: { entryFileNames: '[name].js' } },
  },
});
`;

export const testEmbed = () => withTranscript('embed', run);

async function run(transcript: Transcript): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-embed-'));
  transcript.atEnd('remove the folder', () => rm(folder, { recursive: true, force: true }));
  const archives: string[] = [];
  // In this order: the second one needs the types of the first.
  for (const name of ['embed', 'react']) {
    await transcript.step(`npm pack of ${name}`, async () => {
      const cwd = path.join(root, 'src/clients', name);
      const packed = await command('npm', ['pack', '--json', '--pack-destination', folder], {
        cwd,
      });
      const [{ filename, files }] = JSON.parse(packed.slice(packed.indexOf('[\n'))) as [Packed];
      transcript.note(`${filename}: ${files.map((file) => file.path).join(', ')}`);
      archives.push(`./${filename}`);
    });
  }
  await transcript.step('npm install into an empty folder', async () => {
    const { devDependencies } = await packageOf(root);
    const pages = await packageOf(path.join(root, 'src/web/packages'));
    await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}');
    const versions = { ...devDependencies, ...pages.dependencies };
    const packages = ['react', 'react-dom', 'vite', 'typescript', '@types/react'];
    const named = packages.map((name) => `${name}@${versions[name]}`);
    await command('npm', ['install', '--no-audit', '--no-fund', ...archives, ...named], {
      cwd: folder,
    });
  });
  await transcript.step('types, a server without elements, the size', () => check(folder));
  await transcript.step('bundle the React page', async () => {
    await cp(example, folder, { recursive: true });
    await writeFile(path.join(folder, 'bundle.mjs'), BUNDLE);
    await command('node', ['bundle.mjs'], { cwd: folder });
  });
  const service = await transcript.step('start a service', () => startService());
  transcript.atEnd('stop the service', () => service.stop());
  const origin = await transcript.step('serve the page', () => serve(folder, service, transcript));
  await transcript.step('call an agent from it', () => call(`${origin}/react.html`));
}

type Packed = { filename: string; files: { path: string }[] };
type Manifest = { dependencies: Record<string, string>; devDependencies: Record<string, string> };

const packageOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;

async function check(folder: string): Promise<void> {
  const use = `import { TroupeAgent, type TroupeLine } from '@troupe/react';
document.querySelector('troupe-agent')?.addEventListener('troupe-message', ({ detail }) => {
  const line: TroupeLine = detail;
  console.log(line.text, TroupeAgent);
});
// @ts-expect-error -- there is no such state
document.querySelector('troupe-agent')!.state === 'asleep';
`;
  await writeFile(path.join(folder, 'use.ts'), use);
  const strict = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler'];
  await command('npx', ['tsc', ...strict, 'use.ts'], { cwd: folder });
  await command('node', ['-e', "await import('@troupe/embed'); await import('@troupe/react')"], {
    cwd: folder,
  });
  const entry = path.join(folder, 'node_modules/@troupe/embed/dist');
  const files = (await readdir(entry)).filter((file) => /^(embed|define).*\.js$/.test(file));
  const parts = await Promise.all(files.map((file) => readFile(path.join(entry, file))));
  expectThat(gzipSync(Buffer.concat(parts)).length < 60 * 1024, 'the package is too large');
}

async function serve(
  folder: string,
  service: RunningService,
  transcript: Transcript,
): Promise<string> {
  const { id } = await service.make('/v1/agents', {
    name: FIRST_AVATAR.name,
    avatar_id: FIRST_AVATAR.alias,
  });
  const site = spawn('node', ['serve.mjs'], {
    cwd: folder,
    env: {
      ...process.env,
      TROUPE_URL: service.address,
      LIVEKIT_PUBLIC_URL: service.mediaServer.url,
      AGENT_ID: id,
      PORT: '0',
    },
  });
  transcript.atEnd('stop the site', async () => site.kill());
  const [printed] = (await once(site.stdout, 'data')) as [Buffer];
  const origin = String(printed).trim();
  const body = { allowed_origins: [origin] };
  await service.api(`/v1/agents/${id}`, { method: 'PATCH', body });
  return origin;
}

async function call(address: string): Promise<void> {
  const browser = await openBrowser({
    args: ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
  });
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(address);
    await isIn(page, 'ready');
    await page.getByRole('button', { name: 'Call the assistant' }).click();
    await isIn(page, 'live');
    await page.getByRole('listitem').filter({ hasText: 'ai: ' }).first().waitFor();
    await page.getByRole('button', { name: 'Hang up' }).click();
    await isIn(page, 'ended');
    expectThat(problems.length === 0, problems.join('\n'));
  } finally {
    await browser.close();
  }
}

const isIn = (page: Page, state: string): Promise<void> =>
  page.getByText(`State: ${state}`).waitFor();

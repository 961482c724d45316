/*
 * The agents of /docs/livekit-agent, as they stand there, each with its framework's own command and
 * without a key of a model: a viewer, or the playground of the console, sees the face, which says
 * their sentence.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newName } from '#shared/ids.ts';
import { readBlocks } from '../../../src/web/docs/compose/blocks.ts';
import { SERVICE } from '../../../src/web/docs/compose/service-address.ts';
import { barriers } from '../../support/pages/barriers.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { roomToken } from '../../stage/room-token.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';
import { mediaServerEnv } from '../../support/processes/media-server.ts';
import { FIRST_KEY, type RunningService } from '../../support/processes/service.ts';
import { shareService } from '../../support/processes/shared-service.ts';
import { until } from '../../support/until.ts';

const PAGE = 'src/web/docs/pages/guides/livekit-agent.md';
const PYTHON = `${process.env['TROUPE_PYTHON_CLIENTS']}/1.8.9/bin/python`;
/** The name that both frameworks give an avatar of LiveKit's inference. */
const FACE = 'troupe-inference-avatar';

let service: RunningService;
let folder: string;
const closing: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-agents-'));
  await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  await copyFile('deploy/examples/hello.wav', path.join(folder, 'hello.wav'));
  // Without a plugin, an agent has the media server's key, which is the first account's.
  service = await shareService({ key: FIRST_KEY });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
  await service.endSessions();
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the page's program in this language to a file. */
async function write(language: string, name: string): Promise<string> {
  const blocks = readBlocks(await readFile(PAGE, 'utf8'));
  const samples = blocks.flatMap((block) => (block.type === 'tabs' ? block.samples : []));
  const sample = samples.find((each) => each.language === language)!;
  const file = path.join(folder, name);
  await writeFile(file, sample.text.replaceAll(SERVICE, service.address));
  return file;
}

/** Resolves when the media server knows the agent. */
async function start(program: string, args: string[]): Promise<void> {
  const agent = spawn(program, args, {
    cwd: folder,
    // Its processes end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      ...mediaServerEnv(service.mediaServer),
    },
  });
  const exited = once(agent, 'exit');
  closing.push(async () => {
    process.kill(-agent.pid!, 'SIGKILL');
    await exited;
  });
  let output = '';
  const registered = Promise.withResolvers<void>();
  for (const stream of [agent.stdout, agent.stderr])
    stream.on('data', (text) => {
      output += text;
      if (/registered worker/.test(output)) registered.resolve();
    });
  await Promise.race([
    registered.promise,
    exited.then(() => Promise.reject(new Error(`the agent exited:\n${output}`))),
  ]);
}

/** Joining creates the room, and the media server dispatches the agent. */
async function seesFaceSpeak(): Promise<void> {
  const { mediaServer } = service;
  const viewer = new AvatarViewer(FACE);
  closing.push(() => viewer.leave());
  await viewer.join(mediaServer.url, await roomToken(mediaServer, newName('room'), 'viewer'));
  await viewer.sees(25);
  await hasSpoken();
}

async function hasSpoken(): Promise<void> {
  const { data } = await answerOf('/v1/sessions?status=ongoing');
  expect(data).toHaveLength(1);
  const timeline = `/v1/sessions/${data[0]!.id}/timeline`;
  await until(async () => {
    const { data: entries } = await answerOf(timeline);
    return entries.some(({ kind }) => kind === 'speech_finished');
  });
}

type Answer = { data: { id?: string; kind?: string }[] };

const answerOf = async (address: string): Promise<Answer> =>
  (await service.api(address)).json() as Promise<Answer>;

// .ci/run makes the environment and fails without it; elsewhere Python is optional.
test.skipIf(!existsSync(PYTHON))('the agent in Python speaks with its face', async () => {
  await start(PYTHON, [await write('python', 'agent.py'), 'dev']);
  await seesFaceSpeak();
});

/** Signs in as an invited builder of the first account. */
async function openPlayground(): Promise<Page> {
  const { link } = await service.make<{ link: string }>('/v1/invitations', { role: 'builder' });
  const browser = await openBrowser();
  closing.push(() => browser.close());
  const page = await browser.newPage();
  await page.goto(link);
  await page.getByLabel('Name').fill(newName('builder'));
  await page.getByLabel('New password').fill('a long password of a builder');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('link', { name: 'Playground', exact: true }).click();
  return page;
}

test('the playground says that no agent is connected, then shows the one in Node', async () => {
  const page = await openPlayground();
  const room = page.getByRole('main');

  await room.getByRole('button', { name: 'Join' }).click();
  await room.getByText('No agent is connected for automatic dispatch.').waitFor();

  await start(process.execPath, [await write('js', 'agent.mjs'), 'dev']);
  await room.getByRole('button', { name: 'Ask for an agent again' }).click();
  await room.getByText('Nothing is wrong.').waitFor();
  await room.getByText('Hello! I am Nora. How are you?').waitFor();
  expect(await room.getByRole('status').innerText()).toBe('Live');
  expect(await barriers(page)).toEqual([]);
  await hasSpoken();
});

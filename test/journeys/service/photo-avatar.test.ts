import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { dispose } from '@livekit/rtc-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NORA } from '../../support/api/build-app.ts';
import { openBrowser } from '../../support/pages/browser.ts';
import { likeness, type Look } from '../../support/picture/likeness.ts';
import { lookOfPicture } from '../../support/picture/picture-look.ts';
import { NO_AGENTS, startService, type RunningService } from '../../support/processes/service.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';
import { PATIENCE_MS } from '../../support/patience.ts';
import { AvatarViewer } from '../../support/picture/avatar-viewer.ts';

const PORTRAIT = fileURLToPath(new URL('../../fixtures/photo/astronaut.jpg', import.meta.url));

let service: RunningService;
let sink: WebhookSink;
beforeAll(async () => {
  [service, sink] = await Promise.all([startService({ env: NO_AGENTS }), WebhookSink.open()]);
  const body = { url: sink.url, events: ['avatar.ready'] };
  const reply = await service.api('/v1/webhooks', { method: 'POST', body });
  sink.trust(((await reply.json()) as { secret: string }).secret);
});
afterAll(async () => {
  await sink?.close();
  await service?.stop();
  await dispose();
});

type Avatar = { id: string; status: string; progress: number };
type Session = { id: string; room: { url: string; viewer_token: string } };

const find = async ({ id }: Avatar) =>
  (await service.api(`/v1/avatars/${id}`)).json() as Promise<Avatar>;

async function findByName(name: string): Promise<Avatar> {
  const list = await service.api('/v1/avatars?limit=50');
  const { data } = (await list.json()) as { data: (Avatar & { name: string })[] };
  return data.find((avatar) => avatar.name === name)!;
}

async function create(name: string): Promise<Avatar> {
  const form = new FormData();
  form.append('name', name);
  form.append('consent', 'The picture is in the public domain.');
  form.append('picture', new Blob([await readFile(PORTRAIT)]), 'portrait.png');
  const headers = { 'x-api-key': service.apiKey };
  const url = new URL('/v1/avatars', service.address);
  const reply = await fetch(url, { method: 'POST', headers, body: form });
  expect(reply.status).toBe(201);
  return (await reply.json()) as Avatar;
}

/** By webhook. */
const ready = ({ id }: Avatar) =>
  sink.when(() => sink.received.some(({ payload }) => payload.data['id'] === id), PATIENCE_MS);

async function portraitOf(id: string): Promise<Look> {
  const reply = await fetch(new URL(`/avatars/${id}/picture`, service.address));
  return lookOfPicture(new Uint8Array(await reply.arrayBuffer()));
}

async function seeSession(avatarId: string): Promise<Look> {
  const body = { avatar_id: avatarId };
  const { id, room } = await service.make<Session>('/v1/sessions', body);
  const viewer = new AvatarViewer('troupe-avatar');
  await viewer.join(room.url, room.viewer_token);
  await viewer.sees(25);
  await viewer.leave();
  await service.api(`/v1/sessions/${id}/end`, { method: 'POST' });
  return viewer.look!;
}

describe('a photo avatar', () => {
  test('is created on the try page, offered there, and shown in its sessions', async () => {
    const browser = await openBrowser();
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (line) => line.type() === 'error' && problems.push(line.text()));
    await page.goto(`${service.address}/try#code=${service.pageCode}`);

    await page.getByLabel('Use a photo').setInputFiles(PORTRAIT);
    await page.getByLabel('Name').fill('Collins');
    await page.getByLabel('The person in this photo agrees').check();
    await page.getByRole('button', { name: 'Create avatar' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Collins' }).waitFor();
    const avatar = await findByName('Collins');
    await ready(avatar);

    await page.getByRole('button', { name: 'Collins' }).click();
    await page.getByRole('status').getByText('Ready').waitFor();
    expect(problems).toEqual([]);
    await browser.close();

    expect(await find(avatar)).toMatchObject({ status: 'ready', progress: 100 });
    const [sessionLook, portraitLook, nora] = [
      await seeSession(avatar.id),
      await portraitOf(avatar.id),
      await portraitOf(NORA),
    ];
    expect(likeness(sessionLook, portraitLook)).toBeGreaterThan(0.95);
    expect(likeness(sessionLook, nora)).toBeLessThan(0.8);
  });

  test('is completed when its worker is killed in the middle', async () => {
    const avatar = await create('Eileen again');
    await expect.poll(async () => (await find(avatar)).progress).toBeGreaterThan(0);

    await service.killProgram('worker');

    await ready(avatar);
    expect(await find(avatar)).toMatchObject({ status: 'ready' });
  });
});

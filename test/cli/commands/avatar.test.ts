import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { pictureBytes } from '../../support/api/form.ts';
import { PhotoAvatars } from '../../support/api/photo-avatars.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { startTroupe, troupe } from '../run-troupe.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
let folder: string;
let photo: string;
beforeEach(async () => {
  service = await buildApp();
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-avatar-'));
  photo = path.join(folder, 'ada.jpg');
  await writeFile(photo, pictureBytes('x'.repeat(300_000)));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const env = () => ({ TROUPE_URL: service.url, TROUPE_API_KEY: API_KEY });
const CREATE = ['avatar', 'create'];
const consent = ['--consent', 'Ada agreed.'];

/** Polls go on while `done` is pending. */
async function polling<Result>(clock: TestClock, done: Promise<Result>): Promise<Result> {
  let isDone = false;
  void done.finally(() => (isDone = true));
  await until(() => {
    if (clock.nextInMs === 1_000) clock.advance(1_000);
    return isDone;
  });
  return done;
}

describe('troupe avatar create', () => {
  test('uploads the photo and waits until the avatar is ready', async () => {
    const avatars = await PhotoAvatars.open(service);
    const clock = new TestClock();
    const args = [...CREATE, photo, ...consent];
    const create = startTroupe(args, { env: env(), clock, isTTY: true });

    await avatars.finish();
    const code = await polling(clock, create.exited);

    const id = /^id +(\S+)$/m.exec(create.output.stdout)?.[1];
    expect(code).toBe(0);
    expect(create.output.stdout).toMatch(/^status +ready$/m);
    expect((await service.call('GET', `/v1/avatars/${id}`)).json()).toMatchObject({
      name: 'ada',
      consent: 'Ada agreed.',
    });
    expect(create.output.stderr).toMatch(/Uploading .* 100 %\n/);
    expect(create.output.stderr).toMatch(/Building  █+ 100 %\n$/);
  });

  test('says why a photo cannot be used', async () => {
    const avatars = await PhotoAvatars.open(service);
    const clock = new TestClock();
    const create = startTroupe([...CREATE, photo, ...consent], { env: env(), clock });

    await avatars.fail('no_face');
    const code = await polling(clock, create.exited);

    expect({ code, stdout: create.output.stdout }).toEqual({ code: 1, stdout: '' });
    expect(create.output.stderr).toMatch(/^The photo cannot be used \(no_face\): .+\n$/m);
    // Into a pipe: a line for each quarter, without control characters.
    expect(create.output.stderr).toMatch(
      /^Uploading: 0 %\n(Uploading: \d+ %\n)*Uploading: 100 %\n/,
    );
    expect(create.output.stderr).not.toContain('\r');
  });

  test('does not wait with --no-wait, and prints JSON alone with --json', async () => {
    const args = [...CREATE, photo, ...consent, '--no-wait', '--json'];
    const { code, stdout, stderr } = await troupe(args, { env: env(), isTTY: true });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ name: 'ada', status: 'building' });
  });

  test.each([
    { file: 'ada.bmp', says: 'use a JPEG, PNG, WebP, HEIC, AVIF, GIF or TIFF file' },
    { file: 'nobody.jpg', says: 'cannot be read (ENOENT): check its path' },
  ])('refuses $file', async ({ file, says }) => {
    const args = [...CREATE, path.join(folder, file), ...consent];
    const { code, stderr } = await troupe(args, { env: env() });

    expect(code).toBe(2);
    expect(stderr).toContain(says);
  });
});

test('troupe avatar list names the built-in ones', async () => {
  const { stdout } = await troupe(['avatar', 'list'], { env: env() });

  expect(stdout).toMatch(new RegExp(`^\\S+ +${FIRST_AVATAR.name} +ready$`, 'm'));
});

describe('troupe avatar sheet', () => {
  test('saves the contact sheet and names its tiles', async () => {
    const sheet = { tiles: ['rest', 'open'], columns: 2, tileSide: 128, jpeg: '/9j/2Q==' };
    service.workers[0]!.sheet = () => sheet;
    const output = path.join(folder, 'sheet.jpg');

    const { code, stdout } = await troupe(
      ['avatar', 'sheet', FIRST_AVATAR.alias, '--output', output],
      {
        env: env(),
      },
    );

    expect({ code, stdout }).toEqual({ code: 0, stdout: `Saved ${output}: rest, open\n` });
    expect(await readFile(output)).toEqual(Buffer.from('/9j/2Q==', 'base64'));
  });
});

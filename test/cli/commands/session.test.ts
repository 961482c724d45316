import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, NORA, THEO, type BuiltApp } from '../../support/api/build-app.ts';
import { listen } from '../../support/loopback.ts';
import { TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';
import { startTroupe, troupe } from '../run-troupe.ts';
import { SECOND_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp();
});
afterEach(() => service.close());

const env = () => ({ TROUPE_URL: service.url, TROUPE_API_KEY: API_KEY });
const run = (...args: string[]) => troupe(['session', ...args], { env: env() });
const open = async (avatar = NORA): Promise<string> =>
  (await service.call('POST', '/v1/sessions', { payload: { avatar_id: avatar } })).json().id;

/** The last assignment, whose session has started. */
async function startAssigned() {
  const [worker] = service.workers;
  const { placement } = await worker!.next('assign');
  await worker!.atRest();
  await worker!.started(placement);
  return { worker: worker!, placement };
}

describe('troupe session create', () => {
  test('prints what an agent and a viewer need', async () => {
    const { code, stdout } = await run(
      'create',
      '--avatar',
      SECOND_AVATAR.alias,
      '--max-minutes',
      '5',
    );

    const id = /^id +(\S+)$/m.exec(stdout)?.[1];
    const session = (await service.call('GET', `/v1/sessions/${id}`)).json();
    expect(code).toBe(0);
    expect(session).toMatchObject({ avatar_id: THEO, max_session_length_minutes: 5 });
    expect(stdout).toMatch(/^agent token +agent of room-1$/m);
    expect(stdout).toMatch(/^viewer token +viewer of room-1$/m);
  });

  test('prints the answer of the API with --json', async () => {
    const { stdout } = await run('create', '--metadata', 'a=1', '--metadata', 'b=2=3', '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      transport: 'mediaserver',
      metadata: { a: '1', b: '2=3' },
      room: { viewer_token: expect.any(String) },
    });
  });

  test('prints the token of a botroom', async () => {
    const { stdout } = await run('create', '--transport', 'botroom');

    expect(stdout).toMatch(/^token +\S+$/m);
  });

  test('says where to find avatars when there is no such one', async () => {
    const { code, stdout, stderr } = await run('create', '--avatar', 'nobody');

    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toBe("There is no avatar 'nobody': `troupe avatar list` lists them.\n");
  });

  test('names the field that the service refuses', async () => {
    const { code, stderr } = await run('create', '--room-url', 'ws://x', '--metadata', 'a=');

    expect(code).toBe(1);
    expect(stderr).toMatch(/^token: Field required\.\n$/);
  });

  test('says which key to check when it is wrong', async () => {
    const { code, stderr } = await run('create', '--key', 'another key');

    expect(code).toBe(4);
    expect(stderr).toMatch(/^Invalid API key\. Check TROUPE_API_KEY/);
  });
});

describe('troupe session list', () => {
  test('prints a row for each session, newest first, over several pages', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.push(await open());

    const table = await run('list');
    const json = await run('list', '--limit', '11', '--json');

    expect(table.stdout.split('\n')[0]).toMatch(/^ID +STATUS +TRANSPORT +CREATED +END REASON$/);
    expect(table.stdout.split('\n')[1]).toMatch(new RegExp(`^${ids[11]} +to start +mediaserver`));
    const { data } = JSON.parse(json.stdout);
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1).toReversed());
  });

  test('filters by status', async () => {
    await open();
    const { stdout } = await run('list', '--status', 'completed', '--json');

    expect(JSON.parse(stdout)).toEqual({ data: [] });
  });
});

describe('troupe session end', () => {
  test('ends sessions and names them', async () => {
    const ids = [await open(), await open()];

    const { code, stdout } = await run('end', ...ids);

    expect(code).toBe(0);
    for (const id of ids) expect(stdout).toContain(`Ended ${id}`);
  });

  test('exits with 5 for one that does not exist', async () => {
    expect((await run('end', 'none')).code).toBe(5);
  });
});

describe('troupe session still', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'troupe-still-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('saves what the avatar shows', async () => {
    const picture = Buffer.from([0xff, 0xd8, 1, 2, 0xff, 0xd9]);
    service.workers[0]!.still = () => picture.toString('base64');
    const id = await open();
    await startAssigned();
    const output = path.join(folder, 'now.jpg');

    const { code, stdout } = await run('still', id, '--output', output);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `Saved ${output}\n` });
    expect(await readFile(output)).toEqual(picture);
  });

  test('says why there is none, and which file cannot be written', async () => {
    service.workers[0]!.still = () => 'AAAA';
    const id = await open();
    const early = await run('still', id);
    await startAssigned();
    const output = path.join(folder, 'missing', 'now.jpg');

    const lostRun = await run('still', id, '--output', output);

    expect(early.code).toBe(1);
    expect(early.stderr).toMatch(/^The session shows no picture: it is not live/);
    expect(lostRun.code).toBe(2);
    expect(lostRun.stderr).toBe(
      `The picture cannot be written to '${output}' (ENOENT): name another file with --output.\n`,
    );
  });
});

test('troupe session still ends when a picture stops half way', async () => {
  const { promise: arrival, resolve: arrived } = Promise.withResolvers<ServerResponse>();
  const stalled = createServer((_request, reply) => arrived(reply));
  const url = `http://127.0.0.1:${await listen(stalled)}`;
  const clock = new TestClock();
  const still = startTroupe(['session', 'still', 'x', '--output', '/dev/null'], {
    env: { TROUPE_URL: url, TROUPE_API_KEY: API_KEY },
    clock,
  });

  const reply = await arrival;
  clock.advance(1_000);
  reply.writeHead(200).write('abc');
  // The limit of the request ends with the head of its answer; that of the picture begins.
  await until(() => clock.nextInMs === 30_000);
  clock.advance(30_000);

  expect(await still.exited).toBe(3);
  expect(still.output.stderr).toBe(
    'The download of the picture was interrupted (no answer in time): try again.\n',
  );
  stalled.closeAllConnections();
  await new Promise((resolve) => stalled.close(resolve));
});

describe('troupe session watch', () => {
  test('prints each state and ends with the session', async () => {
    const id = await open();
    const watch = startTroupe(['session', 'watch', id], { env: env() });
    await watch.says('to start');

    const { worker, placement } = await startAssigned();
    await watch.says('ongoing');
    await worker.ended(placement, 'agent_left');

    expect(await watch.exited).toBe(0);
    expect(watch.output.stdout).toMatch(
      /to start\n.*ongoing for .*\n.*completed after .*\(agent_left\)\n$/,
    );
  });

  test('prints one JSON object a line', async () => {
    const id = await open();
    const watch = startTroupe(['session', 'watch', id, '--json'], { env: env() });
    await watch.says('to_start');

    await run('end', id);

    expect(await watch.exited).toBe(0);
    const events = watch.output.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({ event: 'session.ended', session: { id } });
  });

  test('exits with 5 when there is no such session', async () => {
    expect((await run('watch', 'none')).code).toBe(5);
  });
});

const event = (status: object) =>
  `event: session\ndata: ${JSON.stringify({ id: 'x', status, end_reason: 'agent_left' })}\n\n`;

/** Ends the pause before another connection; the time limits of a request are longer. */
const retry = async (clock: TestClock) => {
  await until(() => (clock.nextInMs ?? Infinity) <= 10_000);
  clock.advance(10_000);
};

describe('troupe session watch, when the connection breaks', () => {
  let broken: Server;
  let requests = 0;
  /** The reaction of the server to each request. */
  let answers: ('breaks' | 'refuses' | 'completes')[] = [];

  const time = '2026-01-01T12:00:00.000000+00:00';

  beforeEach(async () => {
    requests = 0;
    broken = createServer((_request, reply) => {
      const answer = answers[Math.min(requests, answers.length - 1)];
      requests += 1;
      if (answer === 'refuses') return reply.socket?.destroy();
      reply.writeHead(200, { 'content-type': 'text/event-stream' });
      if (answer === 'completes')
        return reply.end(event({ type: 'completed', started_at: time, ended_at: time }));
      reply.write(event({ type: 'ongoing', started_at: time }), () => reply.socket?.destroy());
    });
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => new Promise((resolve) => broken.close(resolve)));

  const watch = (clock: TestClock) => {
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    const env = { TROUPE_URL: url, TROUPE_API_KEY: API_KEY };
    return startTroupe(['session', 'watch', 'x'], { env, clock });
  };
  test('opens another one, and prints no state twice', async () => {
    answers = ['breaks', 'breaks', 'completes'];
    const clock = new TestClock();
    const watching = watch(clock);

    await retry(clock);
    await retry(clock);

    expect(await watching.exited).toBe(0);
    expect(watching.output.stdout.match(/ongoing/g)).toHaveLength(1);
    expect(watching.output.stderr).toContain('The connection was lost');
  });

  test('gives up when nothing answers any more', async () => {
    answers = ['refuses'];
    const clock = new TestClock();
    const watching = watch(clock);

    for (let count = 0; count < 8; count++) await retry(clock);

    expect(await watching.exited).toBe(3);
    expect(requests).toBe(9);
  });
});

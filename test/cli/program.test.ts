import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { allCommands, createProgram } from '../../src/cli/program.ts';
import type { CliContext } from '../../src/cli/cli-context.ts';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { troupe } from './run-troupe.ts';

/** A port without a listener. */
const NOWHERE = 'http://127.0.0.1:9';

async function listening(answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

const pathOf = (command: { name(): string; parent: unknown }): string[] => {
  const parent = command.parent as Parameters<typeof pathOf>[0] | null;
  return parent?.parent === undefined || parent === null ? [] : [...pathOf(parent), command.name()];
};
const paths = allCommands(createProgram({ options: {} } as CliContext)).map(pathOf);

describe('troupe', () => {
  test('has the commands that its page lists', () => {
    expect(paths.map((path) => path.join(' '))).toEqual(
      expect.arrayContaining([
        'start',
        'doctor',
        'worker',
        'backup',
        'restore',
        'speech list',
        'speech install',
        'logs',
        'completion',
        'key create',
        'key list',
        'key revoke',
        'session create',
        'session list',
        'session watch',
        'session end',
        'agent create',
        'agent talk',
        'avatar create',
        'fleet status',
        'fleet cordon',
        'fleet resume',
        'fleet drain',
        'fleet log-level',
      ]),
    );
  });

  test('without arguments prints its usage and the exit codes', async () => {
    const { code, stdout, stderr } = await troupe([]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: troupe /);
    for (const meaning of Object.values(EXIT_CODES)) expect(stdout).toContain(meaning);
  });

  test.each(paths)('%s %s prints its usage for --help, without a service', async (...path) => {
    const command = path.filter((name) => name !== undefined);
    const { code, stdout, stderr } = await troupe([...command, '--help'], {
      env: { TROUPE_URL: NOWHERE, PORT: 'wrong' },
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: troupe ${command.join(' ')} `));
    const isGroup = paths.some(
      (otherPath) => otherPath.length === 2 && otherPath[0] === path.join(' '),
    );
    if (!isGroup) expect(stdout).toContain('Examples:\n  $ ');
  });

  test.each([
    { args: ['session', 'list', '--no-such'], says: /^Unknown option '--no-such'\./ },
    { args: ['sesion'], says: /^Unknown command 'sesion'\.\n\(Did you mean session\?\)/ },
    { args: ['session', 'wach', 'x'], says: /^Unknown command 'wach'\./ },
    { args: ['session', 'end'], says: /^Missing required argument 'id'\./ },
    { args: ['session', 'list', 'x'], says: /^Too many arguments/ },
    { args: ['session', 'create', '--max-minutes', '0'], says: /whole number of at least 1\.\n/ },
    { args: ['session', 'create', '--metadata', 'x'], says: /Write it like name=value\.\n/ },
    { args: ['completion', 'tcsh'], says: /Allowed choices are bash, zsh, fish\.\n/ },
    { args: ['key'], says: /^Usage: troupe key / },
  ])('refuses $args with exit code 2', async ({ args, says }) => {
    const { code, stdout, stderr } = await troupe(args);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('prints its version', async () => {
    expect(await troupe(['--version'])).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
  });

  test('says where to get a key when there is none', async () => {
    const { code, stderr } = await troupe(['session', 'list']);

    expect(code).toBe(4);
    expect(stderr).toMatch(/^There is no API key: .*troupe key create.*\n$/);
  });

  test('says what to start when no service answers', async () => {
    const env = { TROUPE_URL: NOWHERE, TROUPE_API_KEY: 'a key' };
    const { code, stdout, stderr } = await troupe(['session', 'list'], { env });

    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(
      /^The service at http:\/\/127\.0\.0\.1:9 does not answer \(.+\): start it with `troupe start`.*\n$/,
    );
  });

  test('says when a proxy answers instead of the service', async () => {
    const proxy = await listening((_request, reply) => reply.writeHead(502).end('<h1>Bad gateway'));
    const { url } = proxy;

    const { code, stderr } = await troupe(['session', 'list', '--url', url, '--key', 'a key']);
    proxy.close();

    expect(code).toBe(3);
    expect(stderr).toBe(
      `A proxy at ${url} answers 502: the service behind it is down or starting; try again.\n`,
    );
  });

  test('sends its key to no other address than the given one', async () => {
    const keys: unknown[] = [];
    const otherServer = await listening(({ headers }, reply) => {
      keys.push(headers['x-api-key']);
      reply.end('{"data": [], "has_more": false}');
    });
    const proxy = await listening(({ url: path }, reply) =>
      reply.writeHead(301, { location: `${otherServer.url}${path}` }).end(),
    );

    // Followed, the POST would become a GET.
    const args = ['session', 'create', '--url', proxy.url, '--key', 'a key'];
    const { code, stdout, stderr } = await troupe(args);
    proxy.close();
    otherServer.close();

    expect({ code, stdout, keys }).toEqual({ code: 2, stdout: '', keys: [] });
    expect(stderr).toBe(
      `The service at ${proxy.url} redirects to ${otherServer.url}: set --url or TROUPE_URL to its final address.\n`,
    );
  });

  test('says when the answer breaks off', async () => {
    const service = await listening((_request, reply) => {
      reply.writeHead(200, { 'content-length': '100' });
      reply.write('{"data"', () => reply.destroy());
    });

    const args = ['session', 'list', '--url', service.url, '--key', 'a key'];
    const { code, stderr } = await troupe(args);
    service.close();

    expect(code).toBe(3);
    expect(stderr).toContain(`The service at ${service.url} does not answer (`);
  });

  test('prints errors as JSON with --json', async () => {
    const env = { TROUPE_URL: NOWHERE, TROUPE_API_KEY: 'a key' };
    const { code, stderr } = await troupe(['session', 'list', '--json'], { env });

    expect(code).toBe(3);
    expect(JSON.parse(stderr)).toEqual({
      error: { message: expect.stringContaining('does not answer'), exit_code: 3 },
    });
  });

  test('refuses an address that is none', async () => {
    const { code, stderr } = await troupe(['session', 'list', '--url', 'troupe', '--key', 'x']);

    expect(code).toBe(2);
    expect(stderr).toContain("'troupe' is not a service address");
  });
});

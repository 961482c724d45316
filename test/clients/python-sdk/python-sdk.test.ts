import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '#shared/clock.ts';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';

/*
 * Tests in Python, with its own unittest. The environment has httpx2, which its agents framework
 * needs too: .ci/run makes it from test/clients/python, in the folder that TROUPE_PYTHON_CLIENTS
 * names.
 */
const python = `${process.env['TROUPE_PYTHON_CLIENTS']}/1.8.9/bin/python`;
const isThere = process.env['TROUPE_PYTHON_CLIENTS'] !== undefined && existsSync(python);

let service: BuiltApp;
let sink: WebhookSink;
beforeAll(async () => {
  if (!isThere) return;
  [service, sink] = await Promise.all([buildApp({ clock: systemClock }), WebhookSink.open()]);
});
afterAll(async () => {
  await service?.close();
  await sink?.close();
});

/** Its report. */
async function unittest(module: string, env: Record<string, string> = {}): Promise<string> {
  const { stderr } = await promisify(execFile)(python, ['-m', 'unittest', '-v', module], {
    cwd: import.meta.dirname,
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: path.join(import.meta.dirname, '../../../src/clients/python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONWARNINGS: 'error',
      ...env,
    },
  });
  return stderr;
}

// `.ci/run` makes the Python environment and fails without it.
describe.skipIf(!isThere)('the Python client', () => {
  test.each(['test_transport', 'test_events', 'test_webhooks'])('passes %s', async (module) => {
    expect(await unittest(module)).toMatch(/Ran \d+ tests? in .*\n\nOK\n$/);
  });

  test.each(['test_service', 'test_async_service'])('passes %s', async (module) => {
    const env = { TROUPE_URL: service.url, TROUPE_API_KEY: API_KEY, WEBHOOK_URL: sink.url };

    expect(await unittest(module, env)).toMatch(/Ran \d+ tests? in .*\n\nOK\n$/);
  });

  test('verifies what the service sends', async () => {
    const { id, secret } = (
      await service.call('POST', '/v1/webhooks', { payload: { url: sink.url, events: ['test'] } })
    ).json();
    await service.call('POST', `/v1/webhooks/${id}/test`);
    const [delivery] = await sink.arrived(1);

    const program =
      'import json, sys; from troupe_sdk import verify_webhook; ' +
      'd = json.load(sys.stdin); ' +
      'print(verify_webhook(d["body"], d["headers"], secret=d["secret"])["data"]["webhook_id"])';
    const child = execFile(python, ['-c', program], {
      env: { PYTHONPATH: path.join(import.meta.dirname, '../../../src/clients/python/src') },
    });
    child.stdin!.end(JSON.stringify({ ...delivery, secret }));
    const lines: string[] = [];
    for await (const line of child.stdout!) lines.push(line);

    expect(lines.join('').trim()).toBe(id);
  });
});

import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kubernetesPods, type Pods } from '../../../src/start/deletion-cost/kubernetes-pods.ts';

const { signal } = new AbortController();

/* The part `cluster` of `npm run test:deploy` runs the same code against a real API server. */
let server: Server;
let serviceAccountDir: string;
let requests: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[];
let answer: { status: number; body: unknown };
let pods: Pods;
beforeEach(async () => {
  requests = [];
  answer = { status: 200, body: { items: [] } };
  server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(answer.status).end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  serviceAccountDir = await mkdtemp(path.join(tmpdir(), 'troupe-account-'));
  await writeFile(path.join(serviceAccountDir, 'namespace'), 'faces');
  await writeFile(path.join(serviceAccountDir, 'token'), 'first\n');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  pods = kubernetesPods({ url, serviceAccountDir, selector: 'a=b,c' });
});
afterEach(async () => {
  server.close();
  await rm(serviceAccountDir, { recursive: true });
});

describe('the pods in Kubernetes', () => {
  test('are those of the selector in the own namespace, with their costs', async () => {
    const annotations = { 'controller.kubernetes.io/pod-deletion-cost': '3' };
    answer.body = {
      items: [{ metadata: { name: 'a', annotations } }, { metadata: { name: 'b' } }],
    };

    expect(await pods.list(signal)).toEqual([
      { pod: 'a', cost: 3 },
      { pod: 'b', cost: null },
    ]);
    expect(requests[0]?.url).toBe(
      '/api/v1/namespaces/faces/pods?labelSelector=a%3Db%2Cc&resourceVersion=0',
    );
  });

  test('are asked with the current token', async () => {
    await pods.list(signal);
    await writeFile(path.join(serviceAccountDir, 'token'), 'second\n');
    await pods.list(signal);

    const tokens = requests.map(({ headers }) => headers.authorization);
    expect(tokens).toEqual(['Bearer first', 'Bearer second']);
  });

  test('may be gone when their cost is set', async () => {
    answer = { status: 404, body: {} };

    await pods.setCost({ pod: 'a', cost: 1 }, signal);

    expect(requests[0]).toMatchObject({ method: 'PATCH', url: '/api/v1/namespaces/faces/pods/a' });
  });

  test('that may not be listed are an error with the reason', async () => {
    answer = { status: 403, body: { message: 'pods is forbidden' } };

    await expect(pods.list(signal)).rejects.toThrow('403: {"message":"pods is forbidden"}');
  });
});

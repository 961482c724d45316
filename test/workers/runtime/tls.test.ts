import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { controlBlobs } from '../../../workers/runtime/blobs.ts';
import { ControlLink } from '../../../workers/runtime/control-link.ts';
import { expired, TestCa, type Certificate } from '../../support/processes/proxies/certificates.ts';
import { HandGateway } from '../../support/fleet/hand-gateway.ts';
import { TestClock } from '../../support/test-clock.ts';
import { TlsProxy } from '../../support/processes/proxies/tls-proxy.ts';
import { until } from '../../support/until.ts';

const facts = {
  workerId: 'worker-a',
  kind: 'avatar' as const,
  slots: 1,
  transports: ['mediaserver' as const],
  avatars: ['mira'],
  version: '1.0.0',
};
const NOT_TRUSTED = 'TLS connection to the control plane failed';

type Line = { msg: string; level: number; [field: string]: unknown };

let gateway: HandGateway;
let clock: TestClock;
let lines: Line[];
let address: string;
const ca = new TestCa();
const usual = getCACertificates('default');
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  gateway = new HandGateway();
  clock = new TestClock();
  lines = [];
  address = `http://127.0.0.1:${await gateway.listen()}`;
  closing.push(() => gateway.close());
});
afterEach(async () => {
  setDefaultCACertificates(usual);
  for (const close of closing.splice(0).toReversed()) await close();
  expect(clock.waiting, 'timers left').toBe(0);
});

/** The effect of NODE_EXTRA_CA_CERTS, which is read once at process start. */
const trustCa = () => setDefaultCACertificates([...usual, ca.cert]);

async function proxy(certificate: Certificate): Promise<TlsProxy> {
  const opened = await TlsProxy.open(address, certificate);
  closing.push(() => opened.close());
  return opened;
}

function open(url: string): ControlLink {
  const log = createLog(
    { name: 'test' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  );
  const link = new ControlLink({ url, token: 'token', facts, clock, log, random: () => 1 });
  closing.push(() => link.close());
  link.open({ performing: () => [], building: () => [], opened: () => {}, received: () => {} });
  return link;
}

const faults = () => lines.filter(({ msg }) => msg === NOT_TRUSTED);
const losses = () => lines.filter(({ msg }) => msg === 'gateway connection lost');

async function refused(url: string): Promise<Line> {
  const link = open(url);
  await until(() => losses().length === 1);
  expect(link.isOpen).toBe(false);
  expect(gateway.sockets).toEqual([]);
  expect(faults()).toHaveLength(1);
  expect(faults()[0]).toMatchObject({ level: 50, controlUrl: new URL(url).origin });
  return faults()[0]!;
}

describe('a worker that connects over TLS', () => {
  test('connects when its CA is trusted', async () => {
    trustCa();
    const { url } = await proxy(ca.issue());

    const link = open(url);
    await until(() => gateway.messagesOf('register').length === 1);
    gateway.say({ type: 'registered', pingEveryMs: 1_000 });
    await until(() => link.isOpen);

    expect(faults()).toEqual([]);
  });

  test('refuses an unknown CA, and says how to trust it', async () => {
    const { url } = await proxy(ca.issue());

    const fault = await refused(url);

    expect(fault['code']).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
    expect(fault['advice']).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('refuses a certificate signed by another CA of the same name', async () => {
    trustCa();
    const { url } = await proxy(new TestCa().issue());

    expect((await refused(url))['advice']).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('refuses a certificate for another host name, and says for which it is', async () => {
    trustCa();
    const { url } = await proxy(ca.issue({ name: 'control.example' }));

    const fault = await refused(url);

    expect(fault['reason']).toContain('control.example');
    expect(fault['advice']).toContain('CONTROL_URL');
  });

  test('refuses an expired certificate', async () => {
    trustCa();
    const { url } = await proxy(ca.issue({ validity: expired() }));

    expect((await refused(url))['advice']).toContain('expired');
  });

  test('says that the server does not speak TLS', async () => {
    expect((await refused(address.replace('http', 'https')))['advice']).toContain('CONTROL_URL');
  });

  test('retries, logs each fault once, and connects when the certificate is replaced', async () => {
    trustCa();
    const outdated = await TlsProxy.open(address, ca.issue({ validity: expired() }));
    const { port } = new URL(outdated.url);
    const link = open(outdated.url);
    await until(() => losses().length === 1);
    clock.advance(1_000);
    await until(() => losses().length === 2);
    await outdated.close();

    const renewed = await TlsProxy.open(address, ca.issue(), Number(port));
    closing.push(() => renewed.close());
    clock.advance(2_000);
    await until(() => gateway.messagesOf('register').length === 1);
    gateway.say({ type: 'registered', pingEveryMs: 1_000 });
    await until(() => link.isOpen);

    expect(faults()).toHaveLength(1);
  });

  test('fetches no bundle over an untrusted connection', async () => {
    gateway.http.on('request', (_request, response) => response.end('bytes'));
    const { url, requests } = await proxy(ca.issue());
    const blobs = controlBlobs({ url, token: 'token', clock });

    await expect(blobs.get('a'.repeat(64))).rejects.toMatchObject({
      name: 'BlobUnavailable',
      cause: { cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' } },
    });

    expect(requests).toEqual([]);
  });
});

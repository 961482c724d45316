import { rm } from 'node:fs/promises';
import { command } from '../command.ts';
import { buildImages, startEngine } from '../docker/build.ts';
import { forgetFirewall, onlyPort443 } from '../docker/firewall.ts';
import { openNetwork, SERVER, VIEWER, inside } from '../docker/network.ts';
import { expectThat } from '../expect-that.ts';
import { callApi, openSession, seeFace } from '../face.ts';
import { until } from '../../support/until.ts';
import { Stack, STACK_TARGETS } from './stack.ts';
import { withTranscript, type Transcript } from '../transcript.ts';
import { trustingHome } from '../viewers/trusting-home.ts';
import { watchFrom, type Viewer } from '../viewers/watch.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

/*
 * deploy/compose on a machine without a domain, as `./setup --local` prepares it. The viewers are
 * on another machine.
 */
const DOMAIN = 'troupe.test';
const ADDRESS = `https://${DOMAIN}`;
const RENEWED_MS = 60_000;
const BACKED_UP_MS = 60_000;
const AGENT = 'Restored agent';

export const testCompose = () => withTranscript('compose', run);

async function run(transcript: Transcript): Promise<void> {
  await buildImages(transcript, STACK_TARGETS, { services: true });
  await openNetwork(transcript, [DOMAIN, `turn.${DOMAIN}`]);
  const engine = await startEngine(transcript, SERVER.namespace);
  const stack = await Stack.prepare(
    ['--local', DOMAIN, '--node-ip', SERVER.address],
    engine,
    transcript,
  );
  await transcript.step('docker compose config', () =>
    stack.compose('--profile', 'observe', 'config', '--quiet'),
  );
  await transcript.step('docker compose config of three machines', () => configureThree(stack));
  stack.removeAtEnd(transcript);
  await transcript.step('docker compose up', () => stack.up());
  await transcript.step('every container is restricted', () => stack.expectRestricted());

  const trust = {
    authority: stack.file('authority/public/ca.crt'),
    bundle: stack.file('authority/public/bundle.crt'),
  };
  const key = await stack.setting('TROUPE_API_KEY');
  const viewer = await seeFace(transcript, ADDRESS, key, trust);
  await seeRelayedFace(transcript, key, trust.authority);
  await renewCertificate(transcript, stack);
  await loseControlPlane(transcript, stack, viewer);
  await transcript.step('Prometheus reads the metrics with its key', async () => {
    const operatorKey = await stack.operatorKey('prometheus');
    const metrics = await callApi(`${ADDRESS}/metrics`, operatorKey, {
      authority: trust.authority,
    });
    expectThat(metrics.includes('troupe_sessions'), 'there are no metrics');
  });
  await transcript.step('back up a new agent', async () => {
    await callApi(`${ADDRESS}/v1/agents`, key, {
      body: { name: AGENT, avatar_id: FIRST_AVATAR.alias },
      authority: trust.authority,
    });
    // Copies at once.
    await stack.compose('restart', 'backup');
    await until(async () => (await stack.backups()).length === 2, BACKED_UP_MS);
  });
  await stopInOrder(transcript, stack);
  await restoreBackup(transcript, stack, key, trust.authority);
}

/** As `/docs/three-machines` says; the settings do not matter to one machine. */
async function configureThree(stack: Stack): Promise<void> {
  await stack.set('MEDIA_DOMAIN', `media.${DOMAIN}`);
  await stack.set('CONTROL_URL', ADDRESS);
  for (const files of ['compose.yaml:control.yaml', 'compose.yaml:media.yaml', 'workers.yaml']) {
    const named = files.split(':').flatMap((file) => ['--file', file]);
    await stack.compose(...named, 'config', '--quiet');
  }
}

/** Nothing but TCP port 443 leaves the viewer's machine, and Chromium uses relayed media only. */
async function seeRelayedFace(
  transcript: Transcript,
  key: string,
  authority: string,
): Promise<void> {
  const home = await trustingHome(authority);
  transcript.atEnd('remove the browser’s profile', () => rm(home, { recursive: true }));
  transcript.atEnd('forget the firewall', forgetFirewall);
  await transcript.step('close every port but 443 for the viewer', onlyPort443);
  const { url, viewerToken } = await openSession(ADDRESS, key, authority);
  const viewer = await transcript.step('Chromium sees the face move, by TURN over TLS', () =>
    watchFrom({
      namespace: VIEWER.namespace,
      program: 'test/deploy/viewers/chromium.ts',
      args: [`${ADDRESS}/docs`, url, viewerToken],
      env: { HOME: home },
    }),
  );
  const path = `relay over tls by turns:turn.${DOMAIN}:443?transport=tcp`;
  expectThat(viewer.path === path, `media took another way: ${viewer.path}`);
  transcript.note(
    `${path}, moving after ${(viewer.seenAfterMs / 1000).toFixed(1)} s with the browser’s start`,
  );
  await viewer.leave();
  await forgetFirewall();
}

/** As after months: Caddy has another certificate, and the edge must use it without a restart. */
async function renewCertificate(transcript: Transcript, stack: Stack): Promise<void> {
  const oldCertificate = await certificateOf(`turn.${DOMAIN}`);
  await transcript.step('the edge uses a renewed certificate of TURN', async () => {
    await rm(stack.file(`data/caddy/caddy/certificates/local/turn.${DOMAIN}`), { recursive: true });
    await stack.compose('restart', 'caddy');
    await until(async () => {
      const now = await certificateOf(`turn.${DOMAIN}`);
      return now !== '' && now !== oldCertificate;
    }, RENEWED_MS);
  });
}

async function certificateOf(name: string): Promise<string> {
  const script = `openssl s_client -connect ${name}:443 -servername ${name} < /dev/null 2> /dev/null | openssl x509 -noout -serial`;
  return command(...inside(VIEWER.namespace, 'bash', '-c', script)).catch(() => '');
}

async function loseControlPlane(
  transcript: Transcript,
  stack: Stack,
  viewer: Viewer,
): Promise<void> {
  await transcript.step('the face moves on when a control plane is killed', async () => {
    await stack.compose('kill', 'control-1');
    await viewer.moving();
    await viewer.moving();
  });
  await transcript.step('it comes back', () => stack.up('control-1'));
}

/** Workers, then what they need to report, then the records. Nothing is killed. */
async function stopInOrder(transcript: Transcript, stack: Stack): Promise<void> {
  await transcript.step('docker compose stop, with a session', () => stack.compose('stop'));
  await transcript.step('workers stopped first, and nothing was killed', async () => {
    const ended = new Map<string, number>();
    for (const { service, code, finishedAt } of await stack.containers()) {
      // HAProxy ended by the signal that it got.
      expectThat([0, 143].includes(code), `${service} ended with ${code}`);
      ended.set(service, Date.parse(finishedAt));
    }
    const order = ['avatar-worker', 'edge', 'caddy', 'control-1', 'postgres'];
    for (const [at, later] of order.slice(1).entries())
      expectThat(ended.get(order[at]!)! <= ended.get(later)!, `${later} ended before ${order[at]}`);
  });
}

/** As the page /docs/one-machine says, with empty records. */
async function restoreBackup(
  transcript: Transcript,
  stack: Stack,
  key: string,
  authority: string,
): Promise<void> {
  const name = (await stack.backups()).at(-1);
  await transcript.step('lose the records, and restore them', async () => {
    await stack.compose('down');
    await stack.docker('volume', 'rm', 'troupe_postgres', 'troupe_redis');
    await stack.up('postgres', 'redis');
    await stack.inBackup('node', 'src/start/commands/restore.ts', `/data/${name}`);
  });
  await transcript.step('docker compose up', () => stack.up());
  await transcript.step('the agent of before is there', async () => {
    const agents = await callApi(`${ADDRESS}/v1/agents`, key, { authority });
    expectThat(agents.includes(AGENT), `there is only ${agents}`);
  });
}

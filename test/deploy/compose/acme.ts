import { copyFile } from 'node:fs/promises';
import { until } from '../../support/until.ts';
import { command } from '../command.ts';
import { startAcmeAuthority } from '../docker/acme-authority.ts';
import { buildImages, startEngine } from '../docker/build.ts';
import { inside, openNetwork, SERVER, VIEWER } from '../docker/network.ts';
import { seeFace } from '../face.ts';
import { Stack, STACK_TARGETS } from './stack.ts';
import { withTranscript, type Transcript } from '../transcript.ts';

/*
 * deploy/compose with a domain: Caddy gets its certificates by ACME, from an authority that checks
 * both names from another machine.
 */
const DOMAIN = 'troupe.test';
const ANSWERS = ['--domain', DOMAIN, '--email', 'operator@troupe.test'];
const CERTIFIED_MS = 60_000;

export const testAcme = () => withTranscript('acme', run);

async function run(transcript: Transcript): Promise<void> {
  await buildImages(transcript, STACK_TARGETS, { services: true });
  await openNetwork(transcript, [DOMAIN, `turn.${DOMAIN}`]);
  const engine = await startEngine(transcript, SERVER.namespace);
  const authority = await transcript.step('start an ACME authority', () =>
    startAcmeAuthority(transcript),
  );
  const stack = await Stack.prepare(ANSWERS, engine, transcript);
  await stack.set('ACME_DIRECTORY', authority.directory);
  // Caddy trusts public authorities only.
  await copyFile(authority.serverCertificate, stack.file('certificates/pebble.crt'));
  const trusting = { environment: { SSL_CERT_FILE: '/etc/caddy/certificates/pebble.crt' } };
  await stack.override('caddy', trusting);
  stack.removeAtEnd(transcript);
  await transcript.step('docker compose up', () => stack.up());

  for (const name of [DOMAIN, `turn.${DOMAIN}`]) {
    await transcript.step(`${name} has a certificate of the authority`, () =>
      until(() => isCertified(name, authority.root), CERTIFIED_MS),
    );
  }
  const trust = { authority: authority.root, bundle: authority.root };
  const key = await stack.setting('TROUPE_API_KEY');
  await seeFace(transcript, `https://${DOMAIN}`, key, trust);
}

async function isCertified(name: string, root: string): Promise<boolean> {
  const query = ['-connect', `${name}:443`, '-servername', name, '-verify_hostname', name];
  const line = ['openssl', 's_client', ...query, '-verify_return_error', '-CAfile', root];
  return command(...inside(VIEWER.namespace, ...line)).then(
    () => true,
    () => false,
  );
}

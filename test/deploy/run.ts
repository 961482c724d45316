/* Tests of deployments with real servers. Most take minutes, so `npm test` runs none of them. */
import { inspect } from 'node:util';
import { readCommand } from '#shared/process/command-line.ts';
import { withTranscript } from './transcript.ts';

/** Each rejects when it fails. */
const PARTS: Record<string, () => Promise<void>> = {
  lint: async () => (await import('./lint.ts')).lintDeploy(),
  images: async () => (await import('./images.ts')).testImages(),
  compose: async () => (await import('./compose/compose.ts')).testCompose(),
  acme: async () => (await import('./compose/acme.ts')).testAcme(),
  alerts: async () => (await import('./alerts.ts')).checkAlerts(),
  ladder: async () => withTranscript('ladder', (await import('./ladder/ladder.ts')).checkLadder),
  conformance: async () => (await import('./conformance/conformance.ts')).conformance(),
  upgrade: async () => (await import('./upgrade/upgrade.ts')).upgrade(),
  packages: async () => (await import('./packages/packages.ts')).checkPackages(),
  examples: async () => (await import('./examples.ts')).testExamples(),
  embed: async () => (await import('./embed.ts')).testEmbed(),
  package: async () => (await import('./package.ts')).testPackage(),
  systemd: async () => (await import('./systemd/systemd.ts')).checkSystemd(),
  chart: async () => withTranscript('chart', (await import('./kubernetes/chart.ts')).checkChart),
  cluster: async () =>
    withTranscript('cluster', (await import('./kubernetes/cluster.ts')).checkCluster),
};

const names = Object.keys(PARTS);
const { positionals } = readCommand({
  usage: `Usage: npm run test:deploy [-- PART...]

Tests deployments with real servers and prints what each step took. Exit code: 0 if all given parts pass, else 1.
Parts (default: all): ${names.join(', ')}
  lint         hadolint and shellcheck
  images       builds deploy/Dockerfile with Docker Engine and runs each image without root and capabilities, until a viewer sees a face
  compose      runs deploy/compose: viewers by UDP, and by TURN on port 443 alone; loses a control plane, renews a certificate, restores a
               backup
  acme         runs deploy/compose with a domain, whose certificates come from a local ACME authority
  alerts       promtool checks the alert rules, their test cases, and the expressions of the dashboards; then Prometheus scrapes
               a control plane with them
  ladder       a worker loses CPU time to a busy loop of higher priority (root; best on an idle machine) until it shows a still picture with
               whole sound, and climbs back
  conformance  our avatar worker and the example in Python conform to the worker protocol, and broken workers do not
  upgrade      the version before and this one serve together on PostgreSQL and Redis, forward and back again;
               PREVIOUS=COMMIT chooses the version before
  packages     what would be published from src/clients: publint, twine, mypy, an import of each, and the lines of the READMEs
  examples     each of deploy/examples by its one command: a viewer sees a face and hears it speak
  embed        packs @troupe/embed and @troupe/react, installs both into an empty folder, bundles the React page of deploy/examples/embed
               there, and calls an agent from it
  package      npm pack, an installation into an empty folder, and \`npx troupe\` there: doctor, start, sessions, an avatar
  systemd      the units of deploy/systemd on a booted Debian (root; systemd-nspawn): probe, drain, backup
  chart        what the Helm chart renders, by helm lint, kubeconform and checkov; values that it must refuse
  cluster      the chart installed, scaled, upgraded and rolled back on a real API server, which Go builds in some minutes`,
  positionals: { min: 0, max: names.length },
});

const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown part: ${unknown.join(', ')}. Parts: ${names.join(', ')}.\n`);
  process.exit(2);
}
let failed = 0;
for (const name of positionals.length > 0 ? positionals : names) {
  const startedAt = performance.now();
  const problem = await PARTS[name]!().then(
    () => null,
    (error: unknown) => error,
  );
  const took = `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  process.stdout.write(`${name}: ${problem === null ? 'passed' : 'FAILED'} (${took})\n`);
  if (problem === null) continue;
  failed += 1;
  process.stdout.write(`${inspect(problem)}\n`);
}
process.exit(failed > 0 ? 1 : 0);

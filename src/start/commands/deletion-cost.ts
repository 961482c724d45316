import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/process/command-line.ts';
import { createLog } from '#shared/log.ts';
import { exitFailed } from '#shared/process/operator-error.ts';
import { loadDeletionCostConfig } from '../deletion-cost/config.ts';
import { runCostRounds } from '../deletion-cost/cost-rounds.ts';
import { fleetLoads } from '../deletion-cost/fleet-loads.ts';
import { kubernetesPods } from '../deletion-cost/kubernetes-pods.ts';

readCommand({
  usage: `Usage: npm run deletion-cost

For Kubernetes: annotates each worker's pod with its number of sessions (controller.kubernetes.io/pod-deletion-cost), so that
a scale-in removes the emptiest workers. The Helm chart runs it. SIGTERM ends it.

Settings: CONTROL_URL, OPERATOR_KEY (a key with the scope operator), POD_SELECTOR (a label selector), KUBERNETES_URL (default:
https://kubernetes.default.svc), SERVICE_ACCOUNT_DIR. NODE_EXTRA_CA_CERTS names the API server's CA.`,
});

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  const config = loadDeletionCostConfig(process.env);
  const control = { url: config.CONTROL_URL, key: config.OPERATOR_KEY };
  const pods = kubernetesPods({
    url: config.KUBERNETES_URL,
    serviceAccountDir: config.SERVICE_ACCOUNT_DIR,
    selector: config.POD_SELECTOR,
  });
  const loads = (signal: AbortSignal) => fleetLoads(control, signal);
  const log = createLog({ name: 'deletion-cost', level: config.LOG_LEVEL });
  await runCostRounds({ pods, loads, clock: systemClock, log }, stop.signal);
} catch (error) {
  exitFailed(error);
}

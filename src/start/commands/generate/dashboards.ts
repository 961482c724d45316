import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { prometheusRules } from '../../../http/alerts/prometheus-rules.ts';
import { DASHBOARDS } from '../../dashboards/all.ts';
import { toGrafana } from '../../dashboards/dashboard.ts';

readCommand({
  usage: `Usage: npm run dashboards

Writes the Grafana dashboards of src/start/dashboards to deploy/grafana, and the alert rules of
src/http/alerts to deploy/prometheus.`,
});

const DEPLOY = fileURLToPath(new URL('../../../../deploy', import.meta.url));

for (const [name, dashboard] of Object.entries(DASHBOARDS)) {
  const file = path.join(DEPLOY, 'grafana', `${name}.json`);
  await writeFile(file, `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`);
}

for (const [name, text] of Object.entries(prometheusRules()))
  await writeFile(path.join(DEPLOY, 'prometheus', name), text);

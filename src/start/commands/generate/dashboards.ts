import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { DASHBOARDS } from '../../dashboards/all.ts';
import { toGrafana } from '../../dashboards/dashboard.ts';

readCommand({
  usage: `Usage: npm run dashboards

Writes the Grafana dashboards of src/start/dashboards to deploy/grafana.`,
});

for (const [name, dashboard] of Object.entries(DASHBOARDS)) {
  const file = fileURLToPath(new URL(`../../../../deploy/grafana/${name}.json`, import.meta.url));
  await writeFile(file, `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`);
}

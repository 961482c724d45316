import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import type { ApiServer } from './api-server.ts';
import { goModule } from './tools.ts';

/** Go modules with the definitions of custom resources, as files. */
const DEFINITIONS = {
  'github.com/kedacore/keda/v2@v2.21.0': [
    'config/crd/bases/keda.sh_scaledobjects.yaml',
    'config/crd/bases/keda.sh_triggerauthentications.yaml',
  ],
  'github.com/prometheus-operator/prometheus-operator@v0.85.0': [
    'example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml',
    'example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml',
  ],
};

/** The API server then checks every field of these resources. */
export async function defineCustomResources(api: ApiServer): Promise<void> {
  for (const [module, files] of Object.entries(DEFINITIONS)) {
    const folder = await goModule(module);
    for (const file of files) {
      const body = parse(await readFile(path.join(folder, file), 'utf8'));
      await api.must('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        method: 'POST',
        body,
      });
    }
  }
}

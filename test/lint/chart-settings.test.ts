import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { DEFAULT_PORT } from '#shared/network/default-port.ts';
import { CONTROL_SETTINGS } from '../../src/config.ts';
import { AGENT_WORKER_SETTINGS } from '../../workers/agent/config.ts';
import { AVATAR_WORKER_SETTINGS } from '../../workers/avatar/config.ts';

const CHART = 'deploy/helm/troupe';
const read = (file: string): string => readFileSync(`${CHART}/${file}`, 'utf8');

type Names = { propertyNames: { enum: string[] } };
const { properties, $defs } = JSON.parse(read('values.schema.json'));
const settable = {
  control: properties.control.properties.settings as Names,
  avatar: $defs.avatarPool.properties.settings as Names,
  agent: $defs.agentPool.properties.settings as Names,
};

/** Settings that the chart has no use for. The image sets SPEECH_DIR. */
const UNUSED = [
  'LIVEKIT_PORT',
  'MIN_FREE_MIB',
  'NODE_URL',
  'OLLAMA_HOST',
  'PG*',
  'SPEECH_DIR',
  'SPEECH_MODELS_MIRROR',
  'TROUPE_SECRET_KEY_FILE',
];

/** Variables that a template sets by itself, or from a Secret. */
const setBy = (...templates: string[]): string[] => {
  const text = templates.map((name) => read(`templates/${name}`)).join('\n');
  return [...text.matchAll(/\bname: ([A-Z][A-Z_]+)|"([A-Z][A-Z_]+)"/g)].map(
    ([, name, quoted]) => (name ?? quoted)!,
  );
};

const processes = {
  control: [CONTROL_SETTINGS, setBy('_pods.tpl', 'control/deployment.yaml')],
  avatar: [AVATAR_WORKER_SETTINGS, setBy('_pods.tpl', 'workers/deployments.yaml')],
  agent: [AGENT_WORKER_SETTINGS, setBy('_pods.tpl', 'workers/deployments.yaml')],
} as const;

describe('the Helm chart', () => {
  test.each(['control', 'avatar', 'agent'] as const)('has every setting of %s', (name) => {
    const [settings, set] = processes[name];
    const byName = settable[name].propertyNames.enum;
    const configured = new Set([...byName, ...set, ...UNUSED]);

    // A new setting belongs into values.schema.json; a secret one into the template, as a
    // reference.
    expect(settings.filter((setting) => !configured.has(setting))).toEqual([]);
    expect(byName.filter((setting) => !settings.includes(setting))).toEqual([]);
    expect(byName.filter((setting) => set.includes(setting))).toEqual([]);
  });

  test('uses the port of the control plane everywhere', () => {
    const text = globSync('templates/**/*', { cwd: CHART, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(`${parentPath}/${name}`, 'utf8'))
      .join('\n');
    const ports = [...text.matchAll(/(?:control:|[pP]ort: |name: PORT, value: ')(\d{4})\b/g)];

    expect(ports.length).toBeGreaterThan(3);
    expect(new Set(ports.map(([, port]) => Number(port)))).toEqual(new Set([DEFAULT_PORT]));
  });

  test('installs the images of its own version', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

    expect(parse(read('Chart.yaml')).appVersion).toBe(version);
  });
});

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AgentProcess } from '../processes/agent-process.ts';
import { mediaServerEnv } from '../processes/media-server.ts';
import type { RunningService } from '../processes/service.ts';

/*
 * .ci/run makes the environments from test/clients/python, in the folder that TROUPE_PYTHON_CLIENTS
 * names: two of 600 MB are too much for every `npm test`.
 */
const folder = fileURLToPath(new URL('../../clients/python', import.meta.url));
const environments = process.env['TROUPE_PYTHON_CLIENTS'];

/** Found beside those of the environment: `livekit.plugins` is a namespace. */
const ownPlugin = fileURLToPath(new URL('../../../src/clients/livekit-python', import.meta.url));

export type PythonPlugin = {
  what: string;
  version: string;
  plugin: string;
  settings: { url: string; key: string };
};

const published = (version: string): PythonPlugin => ({
  what: `the published Python plugin ${version}, unmodified`,
  version,
  plugin: 'bey',
  settings: { url: 'BEY_API_URL', key: 'BEY_API_KEY' },
});

export const PYTHON_PLUGINS: PythonPlugin[] = [
  published('1.8.9'),
  published('1.8.8'),
  {
    what: 'our own Python plugin',
    version: '1.8.9',
    plugin: 'troupe',
    settings: { url: 'TROUPE_URL', key: 'TROUPE_API_KEY' },
  },
];

export const isPythonPluginInstalled = ({ version }: PythonPlugin): boolean =>
  environments !== undefined && existsSync(`${environments}/${version}`);

/** Identity of the plugin's avatar, and the room to which the media server dispatches its agent. */
export const seatOf = ({ plugin, version }: PythonPlugin) => ({
  avatar: `${plugin}-avatar-agent`,
  room: `python-${plugin}-${version}`,
});

/** A voice agent with an avatar plugin, in its own process. Stop it. */
export async function startPythonAgent(
  { version, plugin, settings }: PythonPlugin,
  { address, apiKey, mediaServer }: RunningService,
): Promise<AgentProcess> {
  const agent = new AgentProcess(`${environments}/${version}/bin/python`, ['agent.py'], {
    cwd: folder,
    env: {
      PYTHONPATH: ownPlugin,
      PLUGIN: plugin,
      [settings.url]: address,
      [settings.key]: apiKey,
      ...mediaServerEnv(mediaServer),
    },
  });
  try {
    await agent.logs(/registered worker/);
  } catch (error) {
    await agent.stop();
    throw error;
  }
  return agent;
}

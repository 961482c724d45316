import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HostWatch } from '../support/processes/host-watch.ts';
import { AgentProcess } from '../support/processes/agent-process.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';

/*
 * .ci/run makes the environments from test/clients/python, in the folder that TROUPE_PYTHON_CLIENTS names: two of 600 MB are too much
 * for every `npm test`.
 */
const folder = fileURLToPath(new URL('../clients/python', import.meta.url));
const environments = process.env['TROUPE_PYTHON_CLIENTS'];

const published = (version: string) => ({
  what: `the published Python plugin ${version}, unmodified`,
  version,
  plugin: 'bey',
  settings: { url: 'BEY_API_URL', key: 'BEY_API_KEY' },
});

const PLUGINS = [
  published('1.8.9'),
  published('1.8.8'),
  {
    what: 'our own Python plugin',
    version: '1.8.9',
    plugin: 'troupe',
    settings: { url: 'TROUPE_URL', key: 'TROUPE_API_KEY' },
  },
];

/** Found beside those of the environment: `livekit.plugins` is a namespace. */
const ownPlugin = fileURLToPath(new URL('../../src/clients/livekit-python', import.meta.url));

type Played = { position: number; interrupted: boolean };

let service: RunningService;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (environments) service = await startService({ env: NO_AGENTS });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => service?.stop());

async function startAgent({
  version,
  plugin,
  settings,
}: (typeof PLUGINS)[number]): Promise<AgentProcess> {
  const { address, apiKey, mediaServer } = service;
  const agent = new AgentProcess(`${environments}/${version}/bin/python`, ['agent.py'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONPATH: ownPlugin,
      PLUGIN: plugin,
      [settings.url]: address,
      [settings.key]: apiKey,
      LIVEKIT_URL: mediaServer.url,
      LIVEKIT_API_KEY: mediaServer.apiKey,
      LIVEKIT_API_SECRET: mediaServer.apiSecret,
    },
  });
  closing.push(() => agent.stop());
  await agent.logs(/registered worker/);
  return agent;
}

function viewerToken(room: string): Promise<string> {
  const { apiKey, apiSecret } = service.mediaServer;
  const token = new AccessToken(apiKey, apiSecret, { identity: 'viewer' });
  token.addGrant({ roomJoin: true, room });
  return token.toJwt();
}

describe.each(PLUGINS)('$what', (tried) => {
  const { version, plugin } = tried;
  const isThere = environments !== undefined && existsSync(`${environments}/${version}`);

  // .ci/run makes the environments and fails without them; elsewhere Python is optional.
  test.skipIf(!isThere)(
    'gets an avatar that says what its agent says, and stops',
    async (context) => {
      const host = new HostWatch(context);
      const agent = await startAgent(tried);
      const witness = new Witness(`${plugin}-avatar-agent`);
      closing.push(() => witness.leave());
      await service.hasFreeSlot();
      // Joining creates the room, and the media server dispatches the agent.
      await witness.join(service.mediaServer.url, await viewerToken(`python-${plugin}-${version}`));
      await agent.next('ready');
      await witness.sees(25);

      const whole = await agent.next<Played>('whole');
      await witness.hears(2.5);
      const cut = await agent.next<Played>('cut');
      await witness.hearsNothingFor(1);

      expect(whole.interrupted).toBe(false);
      expect(whole.position).toBeCloseTo(3, 2);
      expect(cut.interrupted).toBe(true);
      const ahead = cut.position - witness.lastHeard()!;
      console.log(`interruption: reported ${Math.round(1000 * ahead)} ms more than was heard`);
      await agent.next('left');
      host.judgeTime(() => expect(Math.abs(ahead)).toBeLessThan(HEARD_WITHIN_S));
    },
  );
});

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AgentProcess } from '../support/processes/agent-process.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { HEARD_WITHIN_S, Witness } from '../support/picture/witness.ts';

/*
 * .ci/run makes the environments from test/clients/python, in the folder that TROUPE_PYTHON_CLIENTS names: two of 600 MB are too much
 * for every `npm test`.
 */
const folder = fileURLToPath(new URL('../clients/python', import.meta.url));
const environments = process.env['TROUPE_PYTHON_CLIENTS'];

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

async function startAgent(version: string): Promise<AgentProcess> {
  const { address, apiKey, mediaServer } = service;
  const agent = new AgentProcess(`${environments}/${version}/bin/python`, ['agent.py'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      BEY_API_URL: address,
      BEY_API_KEY: apiKey,
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

describe.each(['1.8.9', '1.8.8'])('the published Python plugin %s, unmodified', (version) => {
  const isThere = environments !== undefined && existsSync(`${environments}/${version}`);

  // .ci/run makes the environments and fails without them; elsewhere Python is optional.
  test.skipIf(!isThere)('gets an avatar that says what its agent says, and stops', async () => {
    const agent = await startAgent(version);
    const witness = new Witness('bey-avatar-agent');
    closing.push(() => witness.leave());
    // Joining creates the room, and the media server dispatches the agent.
    await witness.join(service.mediaServer.url, await viewerToken(`python-${version}`));
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
    expect(Math.abs(ahead)).toBeLessThan(HEARD_WITHIN_S);
    await agent.next('left');
  });
});

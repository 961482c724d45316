import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { AccessToken } from 'livekit-server-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startService, type RunningService } from '../support/service.ts';
import { Witness } from '../support/witness.ts';

/*
 * The environments are made by .ci/run from test/clients/python, in the folder that TROUPE_PYTHON_CLIENTS names: two of 600 MB are too much for
 * every `npm test`.
 */
const folder = fileURLToPath(new URL('../clients/python', import.meta.url));
const environments = process.env['TROUPE_PYTHON_CLIENTS'];

type Told = { type: string; position?: number; interrupted?: boolean };

let service: RunningService;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  if (environments) service = await startService();
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => service?.stop());

async function startAgent(version: string): Promise<{ next(type: string): Promise<Told> }> {
  const { address, apiKey, mediaServer } = service;
  const agent = spawn(`${environments}/${version}/bin/python`, ['agent.py'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
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
  let logged = '';
  const exit = once(agent, 'exit');
  closing.push(() => {
    agent.kill('SIGKILL');
    return exit;
  });
  const registered = new Promise<void>((resolve) => {
    agent.stderr.on('data', (text) => {
      logged += text;
      if (/registered worker/.test(logged)) resolve();
    });
  });
  const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
  const ended = exit.then(() => {
    throw new Error(`the agent ended:\n${logged}`);
  });
  ended.catch(() => {});
  await Promise.race([registered, ended]);
  return {
    async next(type) {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the agent ended without "${type}":\n${logged}`);
        const told = value.startsWith('{') ? (JSON.parse(value) as Told) : null;
        if (told?.type === type) return told;
      }
    },
  };
}

function viewerToken(room: string): Promise<string> {
  const { apiKey, apiSecret } = service.mediaServer;
  const token = new AccessToken(apiKey, apiSecret, { identity: 'viewer' });
  token.addGrant({ roomJoin: true, room });
  return token.toJwt();
}

describe.each(['1.8.9', '1.8.8'])('the published Python plugin %s, unmodified', (version) => {
  const isThere = environments !== undefined && existsSync(`${environments}/${version}`);

  // Its environments are made by `.ci/run`, which fails without them; elsewhere Python need not be there.
  test.skipIf(!isThere)('gets a face that says what its agent says, and stops', async () => {
    const agent = await startAgent(version);
    const witness = new Witness('bey-avatar-agent');
    closing.push(() => witness.leave());
    // Joining makes the room, and the media server gives the agent its job.
    await witness.join(service.mediaServer.url, await viewerToken(`python-${version}`));
    await agent.next('ready');
    await witness.sees(25);

    const whole = await agent.next('whole');
    await witness.hears(2.5);
    const cut = await agent.next('cut');
    await witness.hearsNothingFor(1);

    expect(whole.interrupted).toBe(false);
    expect(whole.position).toBeCloseTo(3, 2);
    expect(cut.interrupted).toBe(true);
    expect(Math.abs(cut.position! - witness.lastHeard()!)).toBeLessThan(0.1);
    await agent.next('left');
  });
});

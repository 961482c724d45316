import { OperatorError } from '#shared/process/operator-error.ts';
import { loadConfig, type Config } from '../../config.ts';
import { addressOf } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { checkAgentJobs } from './agent-job-check.ts';
import { ok, problem, type Check } from './check.ts';
import { checkApiKey, checkSecrets } from './key-checks.ts';
import { checkClock, checkDisk, checkNode } from './machine-checks.ts';
import { localService, settingsOf } from './local-service.ts';
import { checkMediaServer, checkPorts, checkTurn, checkUdp } from './media-checks.ts';
import { askService, checkAbilities } from './service-checks.ts';

/**
 * In the order in which a person would solve them. Of a service elsewhere, only what can be seen
 * from here.
 */
export async function allChecks(context: CliContext, turn: string | undefined): Promise<Check[]> {
  const { options, clock } = context;
  const isRemote = options.url !== undefined || Boolean(context.env['TROUPE_URL']);
  const running = isRemote ? null : localService(context.env);
  const env = running ? settingsOf(context.env, running) : context.env;
  const key = options.key ?? env['TROUPE_API_KEY'];
  const address = running?.address ?? addressOf(context);
  const service = await askService(address, { key, isRemote, dataDir: running?.dataDir });
  const config = isRemote ? null : readConfig(env);
  const local = config && !('problem' in config) ? config.settings : null;
  const media = local && (await checkMediaServer(local, env));
  const otherClocks = [
    { name: 'the service', date: service.date },
    { name: 'the media server', date: media?.date ?? null },
  ];
  return [
    checkNode(process),
    ...(config ? [config.check] : []),
    ...(local
      ? [
          await checkSecrets(local),
          await checkDisk(local),
          await checkPorts(local, service.isRunning),
          media!.check,
          await checkUdp(local),
        ]
      : []),
    await checkTurn(local, turn),
    await checkClock(clock.now(), otherClocks, local?.DATA_DIR ?? '.'),
    service.check,
    ...(running ? await checkAgentJobs(running.dataDir, clock.now()) : []),
    checkApiKey(key, service.keyStatus),
    ...(key && service.keyStatus === 204 ? [await checkAbilities(address, key)] : []),
  ];
}

type ReadConfig = { check: Check; settings: Config } | { check: Check; problem: true };

function readConfig(env: CliContext['env']): ReadConfig {
  try {
    const settings = loadConfig(env);
    return { check: ok('Settings', 'valid'), settings };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const check = problem('Settings', error.message, '`.env.example` explains each setting.');
    return { check, problem: true };
  }
}

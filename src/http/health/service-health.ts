/* Health of the service's dependencies, for operators, with faults that are about to come. */
import { connect, type PeerCertificate } from 'node:tls';
import { describeRefusedJobs, type RefusedJob } from '#shared/agent-jobs.ts';
import type { Clock } from '#shared/clock.ts';
import type { SpeechPart } from '#shared/process/speech-installs.ts';
import { TOO_SLOW_TO_HEAR } from '#protocol/worker/speech-abilities.ts';
import type { WorkerStatus } from '../../fleet/fleet.ts';
import type { Dependency, DependencyChecks } from './dependency-checks.ts';

export type HealthItem = {
  name: Dependency | 'certificate' | 'agent_jobs' | SpeechPart;
  status: 'ok' | 'warning' | 'failed';
  detail: string | null;
  latencyMs: number | null;
};

const DAY_MS = 86_400_000;
/** Renewal is due long before. */
const WARN_DAYS = 14;
const CONNECT_WITHIN_MS = 2_000;

/** `urls`: public addresses; those without TLS have no certificate. */
export async function serviceHealth(
  checks: Pick<DependencyChecks, 'run'>,
  urls: readonly string[],
  clock: Pick<Clock, 'now'>,
  read: (url: URL) => Promise<Pick<PeerCertificate, 'valid_to'>> = readCertificate,
): Promise<HealthItem[]> {
  const secure = [...new Set(urls)].map((url) => new URL(url)).filter(hasTls);
  const [results, certificates] = await Promise.all([
    checks.run(),
    Promise.all(secure.map((url) => certificateOf(url, read, clock.now()))),
  ]);
  const items = Object.entries(results).map(([name, { status, ms }]): HealthItem => ({
    name: name as HealthItem['name'],
    status: status === 'ok' ? 'ok' : 'failed',
    detail: status === 'ok' ? null : DETAILS[status],
    latencyMs: ms,
  }));
  return [...items, ...certificates];
}

/** Null: the log of the media server is not here. */
export function agentJobsHealth(jobs: readonly RefusedJob[] | null): HealthItem[] {
  if (jobs === null) return [];
  const about = { name: 'agent_jobs', latencyMs: null } as const;
  if (jobs.length === 0) return [{ ...about, status: 'ok', detail: null }];
  const { says, fix } = describeRefusedJobs(jobs);
  return [{ ...about, status: 'warning', detail: `${says} ${fix}` }];
}

/** A warning if agent workers run on machines that are too small for speech recognition. */
export function hearingHealth(workers: readonly Pick<WorkerStatus, 'facts'>[]): HealthItem[] {
  const slow = workers.filter(({ facts }) => facts.abilities.includes(TOO_SLOW_TO_HEAR));
  if (slow.length === 0) return [];
  const hosts = [...new Set(slow.map(({ facts }) => facts.host ?? facts.workerId))].join(', ');
  const detail = `${hosts} is too small for speech recognition: agents without a model of their own read typed text only, at least in some languages. Set OPENAI_BASE_URL or OPENAI_API_KEY, or run agent workers on a faster machine.`;
  return [{ name: 'speech_recognition', status: 'warning', detail, latencyMs: null }];
}

/** `installing`: by `npm start`, in the background. */
export const installHealth = (installing: readonly SpeechPart[]): HealthItem[] =>
  installing.map((name) => ({ name, status: 'ok', detail: INSTALLING[name], latencyMs: null }));

const INSTALLING: Record<SpeechPart, string> = {
  natural_voice: 'Being installed. Until then, agents use the small voice.',
  speech_recognition:
    'Being installed. Until then, agents without a model of their own read typed text only.',
};

const DETAILS = {
  failed: 'Not working. See the log of the control plane.',
  timed_out: 'No answer in time.',
};

const hasTls = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:';

async function certificateOf(
  url: URL,
  read: (url: URL) => Promise<Pick<PeerCertificate, 'valid_to'>>,
  now: number,
): Promise<HealthItem> {
  const about = { name: 'certificate', latencyMs: null } as const;
  try {
    const { valid_to: until } = await read(url);
    const days = Math.floor((Date.parse(until) - now) / DAY_MS);
    const detail = `${url.host}: valid for ${days} more days`;
    return { ...about, status: days < WARN_DAYS ? 'warning' : 'ok', detail };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...about, status: 'failed', detail: `${url.host}: ${reason}` };
  }
}

/** Rejects for a certificate that browsers would refuse. */
const readCertificate = ({ hostname, port }: URL): Promise<PeerCertificate> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || 443), servername: hostname });
    socket.setTimeout(CONNECT_WITHIN_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate());
      socket.end();
    });
  });

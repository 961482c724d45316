import { consoleLink, pageLink } from '#shared/network/page-link.ts';
import { isSameServer } from '#shared/network/same-server.ts';
import type { SpeechPart } from '#shared/process/speech-installs.ts';
import type { Config } from '../../config.ts';
import { developmentServer } from '../media-server/development-server.ts';
import { isLoopback } from '../media-server/media-server-launch.ts';
import { agentModels } from './agent-models.ts';
import type { ServiceFacts } from './start-messages.ts';

/** Printed when the service is ready. */
export function welcome(facts: ServiceFacts, config: Config, seconds: number): string {
  const address = config.PUBLIC_URL ?? facts.address;
  const { mediaServer } = facts;
  const key = facts.newKey ?? (config.TROUPE_API_KEY ? 'the value of TROUPE_API_KEY' : null);
  return [
    '',
    `Troupe is ready (${seconds.toFixed(1)} s). Ctrl-C stops it.`,
    '',
    `  Page          ${pageLink(address, facts.pageCode)}`,
    '                works once; the browser that opened it stays signed in. The next start prints a new link',
    `  Console       ${facts.consoleCode ? consoleLink(address, facts.consoleCode) : `${address}/console`}`,
    ...(facts.consoleCode
      ? ['                works once, as owner: set a password there, and invite others']
      : []),
    `  API           ${address}/v1   (described at ${address}/docs/api)`,
    key
      ? `  API key       ${key}${facts.newKey ? '   (shown only now)' : ''}`
      : '  API key       shown at the first start; to create another: npm run key -- --name NAME',
    ...agents(facts, config),
    `  Media server  ${config.LIVEKIT_PUBLIC_URL ?? mediaServer.url}`,
    ...(config.LIVEKIT_URL ? [] : [`                ${mediaServerKey(facts, config)}`]),
    ...roomAddresses(facts, config),
    `  Logs          ${facts.dataDir}/logs`,
    '',
    '  A session with a room of its own:',
    `    curl -s -X POST ${address}/v1/sessions \\`,
    `      -H 'x-api-key: ${facts.newKey ?? 'YOUR_KEY'}' -H 'content-type: application/json' \\`,
    `      -d '{"avatar_id": "nora"}'`,
    ...offMachine(config),
    ...behindProxy(config),
    '',
  ].join('\n');
}

function agents({ models, installing = [] }: ServiceFacts, config: Config): string[] {
  if (!models) return [];
  const [what, change] = agentModels(models, config);
  const soon = installing.map((part) => SPEECH_PARTS[part]).join(' and ');
  return [
    `  Agents        ${what}`,
    ...(soon ? [`                being installed: ${soon}`] : []),
    `                ${change}`,
  ];
}

const SPEECH_PARTS: Record<SpeechPart, string> = {
  natural_voice: 'the natural voice',
  speech_recognition: 'hearing (speech recognition)',
};

function mediaServerKey({ mediaServer, dataDir }: ServiceFacts, config: Config): string {
  const { apiKey, apiSecret, isNew } = mediaServer;
  if (config.LIVEKIT_API_SECRET) return `key ${apiKey}   secret: the value of LIVEKIT_API_SECRET`;
  return isNew
    ? `key ${apiKey}   secret ${apiSecret}   (shown only now)`
    : `key ${apiKey}   secret in ${dataDir}/service-keys.json`;
}

/** Says which addresses of this machine may be in room URLs. */
function roomAddresses({ mediaServer }: ServiceFacts, config: Config): string[] {
  const address = developmentServer(config);
  if (address === undefined || isSameServer(address, mediaServer.url)) return [];
  return [
    `                rooms at ${address} (LiveKit's development server) work too; to allow others, set ALLOWED_MEDIA_SERVERS`,
  ];
}

/** Settings that are missing for use from other machines. */
function offMachine(config: Config): string[] {
  if (isLoopback(config.HOST)) return [];
  const lines: string[] = [];
  if (!config.PUBLIC_URL?.startsWith('https:')) {
    lines.push(
      'PUBLIC_URL: the https address that callers see (browsers allow the microphone on https only)',
    );
  }
  if (!config.LIVEKIT_PUBLIC_URL) {
    lines.push('LIVEKIT_PUBLIC_URL: the media server as browsers reach it (wss://...)');
    if (!config.LIVEKIT_URL) {
      lines.push(
        "  its host becomes the built-in server's node address; behind NAT or a strict firewall run your own with TURN and set LIVEKIT_URL",
      );
    }
  }
  if (lines.length === 0) return [];
  return [
    '',
    `  HOST=${config.HOST}: for use from other machines also set`,
    ...lines.map((l) => `    ${l}`),
  ];
}

function behindProxy({ PUBLIC_URL, CHAT_URL, TRUSTED_PROXIES }: Config): string[] {
  if (TRUSTED_PROXIES !== undefined || (PUBLIC_URL ?? CHAT_URL) === undefined) return [];
  return [
    '',
    '  Behind a proxy also set TRUSTED_PROXIES to its address (127.0.0.1 if it runs here); otherwise limits count',
    '  all visitors as one.',
  ];
}

/*
 * Selects an agent's models: its owner's endpoints, or those configured for the service. An owner's
 * address is checked like a webhook's when it is saved and, with its resolved name, each time a
 * worker gets it; a refused one is omitted. The worker checks each of its connections.
 */
import type { Log } from '#shared/log.ts';
import type { Outgoing } from '#shared/network/address-policy.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { ExternalApiRecords } from '../../records/agents/external-apis.ts';
import type { CallAgent } from '../call-agent.ts';

type Models = Pick<CallBrief, 'llm' | 'stt' | 'tts'>;

/** The configured models, for agents without their own. */
export type ServiceModels = Models & {
  /** Voice of an agent that names none. */
  usualVoice: string;
  /** For semantic search in knowledge files; null: word search only. */
  embeddings: { url: string; key: string | null; model: string } | null;
};

type ModelsParts = {
  externalApis: Pick<ExternalApiRecords, 'credentials'>;
  service: ServiceModels;
  outgoing: Pick<Outgoing, 'networks' | 'checkUrl' | 'mayReach'>;
  log: Log;
};

type Endpoint = { url: string; key: string; model: string; networks: string };

export type ModelsOf = (agent: CallAgent) => Promise<Models>;

export const modelsOf =
  ({ externalApis, service, outgoing, log }: ModelsParts): ModelsOf =>
  async (agent) => {
    const { accountId, id: agentId, llm, stt, tts } = agent;
    /** Null if the address may no longer be called. */
    const open = async ({ apiId, model }: { apiId: string; model: string }) => {
      const api = await externalApis.credentials(accountId, apiId);
      const why = api ? await refusal(outgoing, api.url) : 'It was deleted.';
      if (api && why === null) {
        const { networks } = outgoing;
        return { url: api.url, key: api.apiKey, model, networks } satisfies Endpoint;
      }
      log.warn({ agentId, externalApiId: apiId, why }, 'external API omitted');
      return null;
    };
    const endpoint = llm?.type === 'openai_compatible' ? await open(llm) : null;
    const voice = tts && (await open(tts));
    return {
      llm:
        llm?.type === 'openai_compatible'
          ? endpoint && { ...endpoint, temperature: llm.temperature }
          : service.llm,
      stt: stt ? await open(stt) : service.stt,
      tts: tts ? voice && { ...voice, voice: tts.voice ?? service.usualVoice } : service.tts,
    };
  };

async function refusal(
  outgoing: Pick<Outgoing, 'checkUrl' | 'mayReach'>,
  url: string,
): Promise<string | null> {
  return outgoing.checkUrl(url, 'anywhere') ?? (await outgoing.mayReach(url));
}

const OPENAI_URL = 'https://api.openai.com/v1';

/**
 * Reads the configuration. With another OPENAI_BASE_URL, stt and tts exist only if their models are
 * set.
 */
export function serviceModels(config: {
  OPENAI_API_KEY?: string;
  OPENAI_BASE_URL?: string;
  OPENAI_MODEL: string;
  OPENAI_STT_MODEL?: string;
  OPENAI_TTS_MODEL?: string;
  OPENAI_TTS_VOICE: string;
  OPENAI_EMBEDDINGS_MODEL?: string;
}): ServiceModels {
  const { OPENAI_API_KEY: key = null, OPENAI_BASE_URL: base, OPENAI_TTS_VOICE: voice } = config;
  if (key === null && base === undefined)
    return { llm: null, stt: null, tts: null, usualVoice: voice, embeddings: null };
  const isOpenAi = base === undefined;
  const endpoint = { url: (base ?? OPENAI_URL).replace(/\/+$/, ''), key };
  const stt = config.OPENAI_STT_MODEL ?? (isOpenAi ? 'gpt-4o-mini-transcribe' : undefined);
  const tts = config.OPENAI_TTS_MODEL ?? (isOpenAi ? 'gpt-4o-mini-tts' : undefined);
  // Opt-in: it sends whole files to the endpoint and delays each question.
  const embeddings = config.OPENAI_EMBEDDINGS_MODEL;
  return {
    llm: { ...endpoint, model: config.OPENAI_MODEL, temperature: null },
    stt: stt === undefined ? null : { ...endpoint, model: stt },
    tts: tts === undefined ? null : { ...endpoint, model: tts, voice },
    usualVoice: voice,
    embeddings: embeddings === undefined ? null : { ...endpoint, model: embeddings },
  };
}

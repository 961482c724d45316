/*
 * Selects an agent's models: its owner's endpoints, those configured for the service, or those of
 * Ollama. An owner's address is checked like a webhook's when it is saved and, with its resolved
 * name, each time a worker gets it; a refused one is omitted. The worker checks each of its
 * connections.
 */
import type { Log } from '#shared/log.ts';
import type { Outgoing } from '#shared/network/address-policy.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { ExternalApiRecords } from '../../records/agents/external-apis.ts';
import type { CallAgent } from '../call-agent.ts';
import type { Ollama } from './ollama.ts';
import { wantsToSee, type PictureRefusals } from './picture-refusals.ts';

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
  /** Null: it is not looked for. */
  ollama: Pick<Ollama, 'models'> | null;
  pictureRefusals: Pick<PictureRefusals, 'has'>;
  outgoing: Pick<Outgoing, 'networks' | 'checkUrl' | 'mayReach'>;
  log: Log;
};

type Endpoint = { url: string; key: string; model: string; networks: string };

export type ModelsOf = (agent: CallAgent) => Promise<Models>;

export const modelsOf =
  ({ externalApis, service, ollama, pictureRefusals, outgoing, log }: ModelsParts): ModelsOf =>
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
    const found = (await ollama?.models()) ?? { llm: null, stt: null };
    const chosen: Models['llm'] =
      llm?.type === 'openai_compatible'
        ? endpoint && { ...endpoint, temperature: llm.temperature }
        : (service.llm ?? found.llm);
    const sees = ({ model, sees: canSee = true }: NonNullable<Models['llm']>): boolean =>
      canSee && wantsToSee(agent) && !pictureRefusals.has(llm, model);
    return {
      llm: chosen && { ...chosen, sees: sees(chosen) },
      stt: stt ? await open(stt) : (service.stt ?? found.stt),
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
const OPENAI_STT = 'gpt-4o-mini-transcribe';
const OPENAI_TTS = 'gpt-4o-mini-tts';

/** An own address of the speech models gets no key: the key is that of another server. */
export function serviceModels(config: {
  OPENAI_API_KEY?: string;
  OPENAI_BASE_URL?: string;
  OPENAI_MODEL: string;
  OPENAI_STT_BASE_URL?: string;
  OPENAI_STT_MODEL?: string;
  OPENAI_TTS_BASE_URL?: string;
  OPENAI_TTS_MODEL?: string;
  OPENAI_TTS_VOICE: string;
  OPENAI_EMBEDDINGS_MODEL?: string;
}): ServiceModels {
  const { OPENAI_API_KEY: key = null, OPENAI_BASE_URL: base, OPENAI_TTS_VOICE: voice } = config;
  const usual = key === null && base === undefined ? null : endpointAt(base ?? OPENAI_URL, key);
  const isOpenAi = usual !== null && base === undefined;
  const sttUrl = config.OPENAI_STT_BASE_URL;
  const ttsUrl = config.OPENAI_TTS_BASE_URL;
  const sttAt = sttUrl === undefined ? usual : endpointAt(sttUrl, null);
  const ttsAt = ttsUrl === undefined ? usual : endpointAt(ttsUrl, null);
  // Other servers have no model that is known by name.
  const stt = config.OPENAI_STT_MODEL ?? (isOpenAi && !sttUrl ? OPENAI_STT : undefined);
  const tts = config.OPENAI_TTS_MODEL ?? (isOpenAi && !ttsUrl ? OPENAI_TTS : undefined);
  // Opt-in: it sends whole files to the endpoint and delays each question.
  const embeddings = config.OPENAI_EMBEDDINGS_MODEL;
  return {
    llm: usual && { ...usual, model: config.OPENAI_MODEL, temperature: null },
    stt: sttAt && stt !== undefined ? { ...sttAt, model: stt } : null,
    tts: ttsAt && tts !== undefined ? { ...ttsAt, model: tts, voice } : null,
    usualVoice: voice,
    embeddings: usual && embeddings !== undefined ? { ...usual, model: embeddings } : null,
  };
}

const endpointAt = (url: string, key: string | null) => ({ url: url.replace(/\/+$/, ''), key });

import type { OpenAiServer } from './openai-server.ts';
import type { RunningService } from '../processes/service.ts';
import { FIRST_AVATAR } from '../cast.ts';

export type KeptMessage = {
  sender: 'ai' | 'user';
  message: string;
  latency?: Record<
    'transcript_ms' | 'first_token_ms' | 'first_audio_ms' | 'first_frame_ms',
    number
  >;
};

/** Besides these two: agent settings as in the API. */
type EndpointAgent = {
  key: string;
  voice: string;
  name: string;
  greeting: string;
  system_prompt: string;
  knowledge_files?: string[];
};

type Api = Pick<RunningService, 'api' | 'make'>;

/** Creates an agent that uses a server's endpoints for language, hearing and speech. */
export async function makeEndpointAgent(
  service: Api,
  { url }: Pick<OpenAiServer, 'url'>,
  { key, voice, ...settings }: EndpointAgent,
): Promise<string> {
  const open = async (type: string, model: string, options: object = {}) => {
    const api = { type: `openai_compatible_${type}`, name: type, url, api_key: key };
    const { id } = await service.make('/v1/external-apis', api);
    return { type: 'openai_compatible', api_id: id, model, ...options };
  };
  const [llm, stt, tts] = await Promise.all([
    open('llm', 'thinker', { temperature: 0.3 }),
    open('stt', 'listener'),
    open('tts', 'speaker', { voice }),
  ]);
  const { id } = await service.make('/v1/agents', {
    avatar_id: FIRST_AVATAR.alias,
    ...settings,
    llm,
    stt,
    tts,
  });
  return id;
}

export async function messagesOf(service: Api, callId: string): Promise<KeptMessage[]> {
  return (await (await service.api(`/v1/calls/${callId}/messages`)).json()) as KeptMessage[];
}

/** A line from the log of the agent worker. */
export type Logged = { time: string; msg: string; callId?: string };

/** Log lines of one call at level `debug`. */
export async function loggedOf<More extends object>(
  service: Pick<RunningService, 'logOf'>,
  callId: string,
  sentence: string,
): Promise<(Logged & More)[]> {
  const text = await service.logOf('agent');
  return text
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Logged & More)
    .filter((line) => line.callId === callId && line.msg === sentence);
}

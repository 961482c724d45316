import OpenAI from 'openai';
import type { CallBrief } from '#protocol/call-brief.ts';
import { boundedAnswer } from './bounded-answer.ts';
import { endpointFetch } from './endpoint-fetch.ts';

/** Clients and plugins require a key even if the endpoint does not. */
export const NO_KEY = 'none';

/** Client of an OpenAI-compatible endpoint for the framework's plugins, which retry themselves. */
export function endpointClient(
  endpoint: NonNullable<CallBrief['stt']>,
  {
    onRequest = () => {},
    readAnswer = async (response) => response,
  }: {
    /** Called with the body of each request, also of a retry. */
    onRequest?: (body: string) => void;
    /** Replaces an answer of bounded size. */
    readAnswer?: (response: Response) => Promise<Response>;
  } = {},
): OpenAI {
  const fetch = endpointFetch(endpoint);
  return new OpenAI({
    baseURL: endpoint.url,
    apiKey: endpoint.key ?? NO_KEY,
    maxRetries: 0,
    fetch: async (input, init) => {
      if (typeof init?.body === 'string') onRequest(init.body);
      return readAnswer(boundedAnswer(await fetch(input, init)));
    },
  });
}

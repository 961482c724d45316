import OpenAI from 'openai';
import type { CallBrief } from '#protocol/call-brief.ts';
import { endpointFetch } from './endpoint-fetch.ts';

/** Clients and plugins require a key even if the endpoint does not. */
export const NO_KEY = 'none';

/** Client of an OpenAI-compatible endpoint for the framework's plugins, which retry themselves. */
export const endpointClient = (endpoint: NonNullable<CallBrief['stt']>): OpenAI =>
  new OpenAI({
    baseURL: endpoint.url,
    apiKey: endpoint.key ?? NO_KEY,
    maxRetries: 0,
    fetch: endpointFetch(endpoint),
  });

/* Resources of the first account, created through the API. */
import { NORA, type BuiltApp } from './build-app.ts';

async function idOf(service: BuiltApp, path: string, payload: object): Promise<string> {
  return (await service.call('POST', path, { payload })).json<{ id: string }>().id;
}

export const newAgent = (service: BuiltApp, fields: object = {}): Promise<string> =>
  idOf(service, '/v1/agents', { name: 'Jarvis', avatar_id: NORA, ...fields });

export const newFile = (service: BuiltApp): Promise<string> =>
  idOf(service, '/v1/knowledge-files', {
    name: 'Prices',
    format: 'text',
    content: 'Eggs are two dollars.',
  });

export const newApi = (service: BuiltApp): Promise<string> =>
  idOf(service, '/v1/external-apis', {
    type: 'openai_compatible_llm',
    name: 'Model',
    url: 'https://llm.example/v1',
    api_key: 'sk-1',
  });

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { briefPath, pictureRefusalPath, type CallBrief } from '#protocol/call-brief.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { newApi } from '../../support/api/resources.ts';
import { OllamaServer } from '../../support/dialogue/ollama-server.ts';
import { until } from '../../support/until.ts';

const TALKS = { capabilities: ['completion'] };

let ollama: OllamaServer;
let service: BuiltApp;

beforeEach(async () => {
  ollama = await OllamaServer.open();
  ollama.models = { 'llama3.2:latest': TALKS };
  service = await buildApp({ env: { OLLAMA: ollama.address } });
});
afterEach(async () => {
  await service.close();
  await ollama.close();
});

async function openCall(fields: Parameters<typeof addAgent>[1] = {}) {
  const agent = await addAgent(service, fields);
  const reply = await service.call('POST', '/v1/calls', { payload: { agent_id: agent.id } });
  await service.agents[0]!.next('assign');
  return { id: reply.json<{ id: string }>().id, agent };
}

async function llmOf(callId: string): Promise<CallBrief['llm']> {
  const { headers } = service.agents[0]!;
  const request = { method: 'GET', url: briefPath(callId), headers } as const;
  return (await service.app.server.inject(request)).json<CallBrief>().llm;
}

describe('a call', () => {
  test('has the model of Ollama, which is loaded, and later what is there then', async () => {
    const { id, agent } = await openCall();

    expect(await llmOf(id)).toEqual({ ...ollama.llm('llama3.2'), sees: false });
    await until(() => ollama.askedAt('/api/generate').length === 1);
    const { abilities } = (await service.call('GET', `/v1/agents/${agent.id}`)).json();
    expect(abilities.thinks_with).toBe('ollama/llama3.2');
    expect(await service.app.defaultModels()).toMatchObject({ thinks: { by: 'ollama' } });

    ollama.models = { 'qwen3:8b': TALKS };
    service.clock.advance(5_000);
    expect(await llmOf(id)).toMatchObject(ollama.llm('qwen3:8b'));

    ollama.models = {};
    service.clock.advance(5_000);
    expect(await llmOf(id)).toBeNull();
  });

  test('shows the camera to a model that sees, until it refuses a picture', async () => {
    ollama.models = { 'llava:latest': { capabilities: ['completion', 'vision'] } };
    const { id, agent } = await openCall({ capabilities: [{ type: 'webcam_vision' }] });
    const sees = async () => {
      const reply = await service.call('GET', `/v1/agents/${agent.id}`);
      return reply.json<{ abilities: { sees: string | null } }>().abilities.sees;
    };
    expect(await llmOf(id)).toMatchObject({ sees: true });
    expect(await sees()).toBe('ollama/llava');
    const room = await service.app.server.inject(`/v1/chat/${agent.id}`);
    expect(room.json()).toMatchObject({ sees: true });

    const { headers } = service.agents[0]!;
    const refusal = { method: 'PUT', url: pictureRefusalPath(id) } as const;
    const refuseAs = async (worker: object) =>
      (await service.app.server.inject({ ...refusal, headers: { ...headers, ...worker } }))
        .statusCode;
    expect(await refuseAs({ 'x-worker-id': 'agent-2' })).toBe(404);
    expect(await sees()).toBe('ollama/llava');
    expect(await refuseAs({})).toBe(204);

    expect(await llmOf(id)).toMatchObject({ sees: false });
    expect(await sees()).toBeNull();
  });

  test('leaves Ollama alone if the agent has a model of its own', async () => {
    const apiId = await newApi(service);
    const type = 'openai_compatible' as const;
    const { id } = await openCall({ llm: { type, apiId, model: 'small', temperature: 0 } });

    expect(await llmOf(id)).toMatchObject({ model: 'small' });
    await service.app.close();
    expect(ollama.askedAt('/api/generate')).toEqual([]);
  });
});

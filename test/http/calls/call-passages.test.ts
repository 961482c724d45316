import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passagesPath } from '#protocol/call-brief.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { conceptsIn } from '../../support/agents/concepts.ts';
import { OpenAiServer } from '../../support/agents/openai-server.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp();
});
afterEach(() => service.close());

/** Request of the worker that holds the conversation, unless another is given. */
const ask = (callId: string, payload: object, worker = service.agents[0]!) =>
  service.app.server.inject({
    method: 'POST',
    url: passagesPath(callId),
    headers: worker.headers,
    payload,
  });

async function openCall(agentFields: Parameters<typeof addAgent>[1] = {}): Promise<{ id: string }> {
  const agent = await addAgent(service, agentFields);
  const payload = { agent_id: agent.id };
  return (await service.call('POST', '/v1/calls', { payload })).json();
}
const make = async (path: string, payload: object): Promise<string> =>
  (await service.call('POST', path, { payload })).json().id;
const addFile = (content: string) =>
  make('/v1/knowledge-files', { name: 'Prices', format: 'text', content });
const addApi = (type: string, url: string) =>
  make('/v1/external-apis', { type, name: type, url, api_key: `key-of-${type}` });

describe('passages for a call', () => {
  const question = { question: 'How much do sandals cost?' };

  test('come from the agent’s files, best first, with file names', async () => {
    const file = await addFile('Sandals cost 25 euros.');
    await addFile('Sandals are for summer. Of another agent.');
    const { id } = await openCall({ knowledgeFileIds: [file] });

    const reply = await ask(id, question);

    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toEqual({
      passages: [{ source: 'Prices', text: 'Sandals cost 25 euros.' }],
    });
  });

  test('are also found by meaning, through the agent’s own endpoint and key', async () => {
    const models = await OpenAiServer.open({
      keys: ['key-of-openai_compatible_embeddings'],
      answer: () => '',
      embed: (text) => conceptsIn(text),
    });
    const apiId = await addApi('openai_compatible_embeddings', models.url);
    const files = [await addFile('Running shoes for 80.'), await addFile('Open from nine to six.')];
    const embeddings = { type: 'openai_compatible', apiId, model: 'sense' } as const;
    const { id } = await openCall({ knowledgeFileIds: files, embeddings });
    const answerTo = async (question: string) =>
      (await ask(id, { question })).json().passages[0]?.text;

    await until(async () => (await answerTo('Which sneaker?')) === 'Running shoes for 80.');

    expect(models.embeddings[0]).toMatchObject({
      model: 'sense',
      input: expect.arrayContaining(['Prices\nRunning shoes for 80.']),
    });
    // A question that uses words of a file needs no embeddings.
    await models.close();
    expect(await answerTo('When is it open?')).toBe('Open from nine to six.');
    expect(await answerTo('Which sneaker?')).toBeUndefined();
  });

  test('are empty for an agent without files, and refused to other workers', async () => {
    const { id } = await openCall();
    const worker = await service.joinAgent();

    expect((await ask(id, question)).json()).toEqual({
      passages: [],
    });
    const workerReply = await ask(id, question, worker);
    expect(workerReply.statusCode).toBe(404);
    expect((await ask(id, {})).statusCode).toBe(422);
  });
});

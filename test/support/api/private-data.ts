import { linePath } from '#protocol/call-brief.ts';
import { NORA, type BuiltApp } from './build-app.ts';
import { pictureBytes } from './form.ts';
import { file, PhotoAvatars, sound } from './photo-avatars.ts';
import { newAgent } from './resources.ts';

export const PRIVATE = {
  prompt: 'Never mention the merger with Initech.',
  greeting: 'Good day from the ward of Doctor Who.',
  knowledge: 'The safe opens at 7-21-46.',
  userName: 'Zoë Unmistakable',
  userEmail: 'zoe.unmistakable@example.com',
  tag: 'room 237',
  comment: 'The doctor was a parrot.',
  line: 'I was told that my results are back.',
  photo: 'pixels of an unmistakable face',
  apiKey: 'sk-unmistakable',
  bot: 'unmistakable-bot.example',
  botToken: 'bot-token-unmistakable',
  chunk: 'The second half of the manuscript.',
} as const;

/**
 * Fills the service through its API with the texts of `PRIVATE`, each in every place that keeps it.
 * Returns the paths under which its owner reads them.
 */
export async function addPrivateData(service: BuiltApp): Promise<string[]> {
  const { call } = service;
  const create = async (path: string, payload: object): Promise<string> => {
    const reply = await call('POST', path, { payload });
    if (reply.statusCode >= 300) throw new Error(`${path}: ${reply.body}`);
    return reply.json<{ id: string }>().id;
  };
  const fileId = await create('/v1/knowledge-files', {
    name: 'Safe',
    format: 'text',
    content: PRIVATE.knowledge,
  });
  const uploadId = await create('/v1/knowledge-files', { name: 'Novel', format: 'text' });
  const uploadReply = await call('PUT', `/v1/knowledge-files/${uploadId}/upload?chunk_number=1`, {
    payload: PRIVATE.chunk,
    headers: { 'content-type': 'application/octet-stream' },
  });
  if (uploadReply.statusCode !== 204)
    throw new Error(`the chunk was not kept: ${uploadReply.body}`);
  const apiId = await create('/v1/external-apis', {
    type: 'openai_compatible_llm',
    name: 'Model',
    url: 'https://llm.example/v1',
    api_key: PRIVATE.apiKey,
  });
  const hookId = await create('/v1/webhooks', {
    url: 'https://receiver.example/',
    events: ['call.started', 'message', 'call.rated'],
  });
  const agentId = await newAgent(service, {
    system_prompt: PRIVATE.prompt,
    greeting: PRIVATE.greeting,
    knowledge_files: [fileId],
  });
  const callReply = await call('POST', '/v1/calls', {
    payload: {
      agent_id: agentId,
      user_name: PRIVATE.userName,
      user_email: PRIVATE.userEmail,
      tags: { place: PRIVATE.tag },
    },
  });
  const opened = callReply.json<{ id: string; mediaserver_token: string }>();
  const { id: callId, mediaserver_token: userToken } = opened;
  const [worker] = service.workers;
  const [agent] = service.agents;
  await agent?.next('assign');
  const assignment = await worker?.next('assign');
  if (assignment) await worker?.started(assignment.placement);
  const lineReply = await service.app.server.inject({
    method: 'PUT',
    url: linePath(callId, 'line-1'),
    headers: agent!.headers,
    payload: { sender: 'user', text: PRIVATE.line, agoMs: 0 },
  });
  if (lineReply.statusCode !== 204) throw new Error(`the line was not kept: ${lineReply.body}`);
  const rateReply = await service.app.server.inject({
    method: 'PUT',
    url: `/v1/chat/${agentId}/calls/${callId}/rating`,
    headers: { authorization: `Bearer ${userToken}` },
    payload: { rating: 'bad', comment: PRIVATE.comment },
  });
  if (rateReply.statusCode !== 204) throw new Error(`the rating was not kept: ${rateReply.body}`);
  const avatars = await PhotoAvatars.open(service);
  const picture = file(pictureBytes(PRIVATE.photo));
  const avatarId = (await avatars.create({ ...sound(), picture })).json<{ id: string }>().id;
  await avatars.finish();
  await create('/v1/sessions', { avatar_id: NORA });

  await create('/v1/sessions', {
    avatar_id: NORA,
    transport: 'botroom',
    url: `wss://${PRIVATE.bot}/ws`,
    token: PRIVATE.botToken,
  });

  return [
    `/v1/agents/${agentId}`,
    `/v1/avatars/${avatarId}`,
    `/v1/calls/${callId}`,
    `/v1/calls/${callId}/messages`,
    `/v1/external-apis/${apiId}`,
    `/v1/knowledge-files/${fileId}`,
    `/v1/knowledge-files/${uploadId}`,
    `/v1/webhooks/${hookId}`,
    '/v1/sessions',
    '/v1/usage',
  ];
}

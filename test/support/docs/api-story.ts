/*
 * One request for each operation of the API, in an order in which all of them succeed. The samples
 * and answers of the API reference are those of this story: `npm run api-examples` records them.
 */
import { Browser } from '../api/browser.ts';
import type { BuiltApp } from '../api/build-app.ts';
import type { WebhookSink } from '../api/webhook-sink.ts';
import { FIRST_AVATAR } from '../cast.ts';

type StoryRequest = {
  /** Values of the path's parameters. */
  ids?: Record<string, string>;
  /** With its question mark. */
  query?: string;
  body?: unknown;
  form?: Record<string, string>;
  file?: string;
  /** Values of the variables in the headers. */
  env?: Record<string, string>;
};
/** Sends the request of an operation; returns what JSON it answers. */
export type Perform = (operation: string, request?: StoryRequest) => Promise<StoryAnswer>;
/** An answer of any shape: the story knows which one it asked for. */
export type StoryAnswer = { id: string; [field: string]: unknown };

/** Events wait no longer before they are sent. */
const OUTBOX_MS = 50;

export type Stage = { service: BuiltApp; sink: WebhookSink; operatorKey: string };

export async function tellStory(perform: Perform, stage: Stage): Promise<void> {
  await perform('verifyApiKey');
  await webhooks(perform, stage);
  await avatars(perform);
  await sessions(perform, stage);
  await knowledge(perform);
  await externalApis(perform, stage);
  const agent = await agents(perform);
  await calls(perform, agent);
  await chatRoom(perform, agent, stage);
  await perform('deleteAgent', { ids: { id: agent } });
  await account(perform);
  await keys(perform);
  await people(perform, stage);
  await administration(perform);
  await fleet(perform, stage);
}

async function webhooks(perform: Perform, { service, sink }: Stage): Promise<void> {
  const arrived = async (count: number) => {
    service.clock.advance(OUTBOX_MS);
    await sink.arrived(count);
  };
  const { id } = await perform('createWebhook', {
    body: { url: sink.url, events: ['session.started', 'session.ended'], description: 'Bookings' },
  });
  const ids = { id };
  await arrived(1);
  await perform('listWebhooks');
  await perform('retrieveWebhook', { ids });
  await perform('updateWebhook', { ids, body: { events: ['call.ended'] } });
  const delivery_id = await succeeded(service, id);
  await perform('listWebhookDeliveries', { ids });
  await perform('retrieveWebhookDelivery', { ids: { id, delivery_id } });
  await perform('redeliverToWebhook', { ids: { id, delivery_id } });
  await arrived(2);
  await perform('rotateWebhookSecret', { ids });
  await perform('testWebhook', { ids });
  await arrived(3);
  await perform('deleteWebhook', { ids });
}

/** The id of the first delivery, when its success is recorded. */
async function succeeded(service: BuiltApp, webhook: string): Promise<string> {
  for (;;) {
    const { data } = (await service.call('GET', `/v1/webhooks/${webhook}/deliveries`)).json<{
      data: { id: string; status: string }[];
    }>();
    if (data[0]?.status === 'delivered') return data[0].id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function avatars(perform: Perform): Promise<void> {
  await perform('listAvatars', { query: '?limit=1' });
  await perform('retrieveContactSheetOfAvatar', { ids: { id: FIRST_AVATAR.alias } });
  const { id } = await perform('createAvatar', {
    form: { name: 'Ada', picture: '@ada.jpg', consent: 'Ada agreed in writing.' },
  });
  await perform('retrieveAvatar', { ids: { id } });
  await perform('deleteAvatar', { ids: { id } });
}

async function sessions(perform: Perform, { service }: Stage): Promise<void> {
  const { id } = await perform('createSpeechToVideoSession', {
    body: {
      avatar_id: FIRST_AVATAR.alias,
      video: { preset: 'landscape', background: 'office' },
    },
  });
  const ids = { id };
  const { placement } = await service.workers[0]!.next('assign');
  await service.workers[0]!.started(placement);
  await perform('retrieveSpeechToVideoSession', { ids });
  await perform('retrieveStillOfSpeechToVideoSession', { ids });
  await perform('changePictureOfSpeechToVideoSession', {
    ids,
    body: { video: { framing: 'close' }, emotion: 'happy' },
  });
  await perform('listSpeechToVideoSessions', { query: '?status=ongoing' });
  await perform('endSpeechToVideoSession', { ids });
  await perform('followSpeechToVideoSession', { ids });
  await perform('retrieveTimelineOfSpeechToVideoSession', { ids });
  await perform('deleteSpeechToVideoSession', { ids });
  const reply = await service.call('POST', '/v1/sessions', {
    payload: { avatar_id: FIRST_AVATAR.alias, transport: 'botroom' },
  });
  const botroom = reply.json<{ id: string }>().id;
  await perform('createBotroomToken', { ids: { id: botroom } });
  await service.call('POST', `/v1/sessions/${botroom}/end`);
}

async function knowledge(perform: Perform): Promise<void> {
  const { id } = await perform('createKnowledgeFile', {
    body: { name: 'Opening hours', format: 'text' },
  });
  const ids = { id };
  await perform('uploadKnowledgeFileChunk', { ids, query: '?chunk_number=0', file: 'hours.txt' });
  await perform('submitKnowledgeFile', { ids });
  await perform('retrieveKnowledgeFile', { ids });
  await perform('listKnowledgeFiles');
  await perform('deleteKnowledgeFile', { ids });
}

async function externalApis(perform: Perform, { sink }: Stage): Promise<void> {
  const { id } = await perform('createExternalApi', {
    body: {
      type: 'openai_compatible_llm',
      name: 'Our model',
      url: `${sink.url}/v1`,
      api_key: 'KEY-OF-THE-MODEL',
    },
  });
  const ids = { id };
  await perform('retrieveExternalApi', { ids });
  await perform('listExternalApis');
  await perform('updateExternalApi', { ids, body: { name: 'Our other model' } });
  await perform('checkExternalApi', { ids, body: { model: 'thinker' } });
  await perform('deleteExternalApi', { ids });
}

/** The id of an agent. */
async function agents(perform: Perform): Promise<string> {
  const { id } = await perform('createAgent', {
    body: {
      name: FIRST_AVATAR.name,
      avatar_id: FIRST_AVATAR.alias,
      greeting: 'Hello! What can I do for you?',
    },
  });
  const ids = { id };
  await perform('retrieveAgent', { ids });
  await perform('retrieveAbilitiesOfAgent', { ids });
  await perform('retrieveAbilitiesOfTheService');
  await perform('listVoices');
  await perform('listAgents');
  await perform('updateAgent', { ids, body: { system_prompt: 'You keep a lamp shop.' } });
  await perform('makeAgentPrivate', { ids });
  await perform('makeAgentPublic', { ids });
  return id;
}

async function calls(perform: Perform, agent_id: string): Promise<void> {
  const { id } = await perform('startACallWithAnAgent', {
    body: { agent_id, user_name: 'Grace', tags: { order: '7' } },
  });
  const ids = { id };
  await perform('createRoomTokenOfACall', { ids });
  await perform('retrieveCall', { ids });
  await perform('listCalls');
  await perform('listMessagesOfACall', { ids });
  await perform('listConversations');
  await perform('retrieveConversation', { ids });
  await perform('listMessagesOfAConversation', { ids });
  await perform('endCall', { ids });
  await perform('deleteCall', { ids });
  for (const operation of [
    'mintCredentialsForARoomWithAnAgent',
    'mintCredentialsForALivekitRoomWithAnAgent',
  ])
    await perform(operation, { body: { agent_id, user_name: 'Grace' } });
}

async function chatRoom(perform: Perform, id: string, { service }: Stage): Promise<void> {
  await perform('retrieveWhoIsInAChatRoom', { ids: { id } });
  const call = await perform('startACallFromTheChatRoom', {
    ids: { id },
    body: { user_name: 'Grace' },
  });
  const visit = { ids: { id, call_id: call.id }, env: { ROOM_TOKEN: String(call['room_token']) } };
  await perform('retrieveACallOfTheChatRoom', visit);
  await begin(service, call.id);
  const body = { rating: 'good', comment: 'Quick and friendly.' };
  await perform('rateACallOfTheChatRoom', { ...visit, body });
  await perform('leaveACallOfTheChatRoom', visit);
  const ticket = 'l1tY0QmCyZsmWJ4Pkq3bT7dUeRxVhNaG6fXoSg2c';
  await perform('leaveTheLineOfAChatRoom', { ids: { id }, query: `?ticket=${ticket}` });
}

/** Shows the face of the call. */
async function begin(service: BuiltApp, callId: string): Promise<void> {
  const path = `/v1/calls/${callId}`;
  const call = (await service.call('GET', path)).json<{ session_id: string }>();
  const worker = service.workers[0]!;
  for (;;) {
    const { placement } = await worker.next('assign');
    if (placement.sessionId === call.session_id) return worker.started(placement);
  }
}

async function account(perform: Perform): Promise<void> {
  await perform('retrieveOwnAccount');
  await perform('updateOwnAccount', { body: { retention_days: { timelines: 30 } } });
  await perform('retrieveUsage');
  await perform('listAuditLog', { query: '?limit=2' });
  await perform('exportAuditLog');
  await perform('exportAccount');
}

async function keys(perform: Perform): Promise<void> {
  const { id } = await perform('createOwnApiKey', {
    body: { name: 'Our backend', scopes: ['sessions:write'] },
  });
  await perform('listOwnApiKeys', { query: '?limit=1' });
  await perform('changeOwnApiKey', {
    ids: { id },
    body: { allowed_networks: ['203.0.113.0/24'] },
  });
  await perform('revokeOwnApiKey', { ids: { id } });
}

async function people(perform: Perform, { service }: Stage): Promise<void> {
  const invitation = await perform('invitePerson', { body: { role: 'viewer', name: 'Grace' } });
  await perform('listInvitations');
  await new Browser(service).join(String(invitation['link']), 'Grace');
  const { data } = (await service.call('GET', '/v1/people')).json<{ data: { id: string }[] }>();
  const ids = { id: data[0]!.id };
  await perform('listPeople');
  await perform('changeRoleOfPerson', { ids, body: { role: 'builder' } });
  await perform('createSignInLink', { ids });
  await perform('removePerson', { ids });
  await perform('invitePersonToAnyAccount', { body: { is_operator: true } });
  const reply = await service.call('POST', '/v1/invitations', { payload: { role: 'viewer' } });
  await perform('withdrawInvitation', { ids: { id: reply.json<{ id: string }>().id } });
  await perform('listRequests', { query: '?limit=1&route=/v1/invitations' });
  await perform('retrieveHistoryOfSessions', { query: '?span=hour' });
}

async function administration(perform: Perform): Promise<void> {
  const credentials = { name: 'Grace', password: 'a long password of Grace' };
  const administrator = await perform('createAdministrator', { body: credentials });
  await perform('signIn', { body: credentials });
  await perform('listAdministrators');
  await perform('retrieveAdministrator', { ids: { id: administrator.id } });
  await perform('changeAdministrator', { ids: { id: administrator.id }, body: { name: 'Hopper' } });
  await perform('deleteAdministrator', { ids: { id: administrator.id } });

  const { id } = await perform('createAccount', { body: { name: 'A customer', plan: 'growth' } });
  await perform('listAccounts');
  await perform('retrieveAccount', { ids: { id } });
  await perform('retrieveUsageOfAnAccount', { ids: { id } });
  await perform('changeAccount', { ids: { id }, body: { pool: 'gpu' } });
  const domain = await perform('giveDomainToAccount', {
    ids: { id },
    body: { domain: 'example.com', role: 'builder' },
  });
  await perform('listDomainsOfAccount', { ids: { id } });
  await perform('takeDomainAwayFromAccount', { ids: { id, domainId: domain.id } });
  const key = await perform('createApiKey', { ids: { id }, body: { name: 'Their backend' } });
  await perform('listApiKeys', { ids: { id } });
  const ofKey = { ids: { id, keyId: key.id } };
  await perform('changeApiKey', { ...ofKey, body: { allowed_networks: ['203.0.113.0/24'] } });
  await perform('revokeApiKey', ofKey);
  await perform('deleteAccount', { ids: { id } });
  await perform('retrieveAccountDeletion', { ids: { id } });
}

async function fleet(perform: Perform, { service, operatorKey }: Stage): Promise<void> {
  const { id } = await perform('createWorkerToken', {
    body: { name: 'rack 7', kind: 'avatar', pool: 'gpu' },
  });
  await perform('listWorkerTokens');
  await perform('revokeWorkerToken', { ids: { id } });
  await perform('retrieveFleetPressure');
  await perform('auditTheFleet');
  await perform('auditTheFleetAndRepairIt');
  await perform('startACanary', { body: { pool: 'next', share_percent: 5 } });
  await perform('retrieveTheCanary');
  await perform('endTheCanary');
  await perform('setAnOverflow', {
    body: {
      pool: 'gpu',
      url: 'https://avatars.example',
      api_key: 'THEIR_KEY',
      price_per_minute: 0.05,
      ceiling: 40,
      period: 'day',
      max_sessions: 20,
      max_minutes: 60,
    },
  });
  await perform('listOverflows');
  await perform('listSessionsOfAnOverflow', { query: '?pool=gpu' });
  await perform('removeAnOverflow', { query: '?pool=gpu' });
  await perform('listWorkers');
  await perform('listAlerts');
  await perform('retrieveHistoryOfTheFleet', { query: '?span=hour' });
  await perform('checkHealth');
  await perform('rebalanceTheFleet', { body: { sessions: 1 } });
  const { data } = (
    await service.call('GET', '/v1/fleet/workers', { headers: { 'x-api-key': operatorKey } })
  ).json<{ data: { id: string; kind: string }[] }>();
  const worker = data.find(({ kind }) => kind === 'avatar')!;
  await perform('cordonWorker', { ids: { id: worker.id } });
  await perform('resumeWorker', { ids: { id: worker.id } });
  await perform('setLogLevelOfWorker', { ids: { id: worker.id }, body: { level: 'debug' } });
  await perform('drainWorker', { ids: { id: worker.id } });
}

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { newRecordId } from '#shared/ids.ts';
import { storageOf } from '../../accounts/limits.ts';
import { newLinkSecret } from '../../calls/link-tokens.ts';
import { Fault } from '../../errors.ts';
import type { Agent } from '../../records/agents/agents.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import { readAgent, readChanges } from './agent-request.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import type { Answered } from '../limits/idempotency.ts';
import {
  AgentBody,
  AgentChanges,
  AgentPage,
  AgentRequest,
  LinkSecret,
  toAgentBody,
  toStoredBody,
  type OlderAgentRequest,
} from './agent-schemas.ts';
import { answer, errors, IdempotencyHeader, IdParams, named } from '../resource/schema-parts.ts';
import {
  deleteRoute,
  listRoute,
  retrieveRoute,
  updateRoute,
  type ChangeRequest,
  type IdRequest,
} from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Agents'];

/** Fits the longest prompt when JSON escapes every character as 12 bytes, and the largest logo. */
export const AGENT_BODY_LIMIT = 256 * 1024;

export const agentRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { agents } = services.records;
    const toBody = (agent: AbleAgent, request: FastifyRequest) =>
      toAgentBody(agent, linkBases(services, request));

    app.post(
      '/v1/agents',
      {
        bodyLimit: AGENT_BODY_LIMIT,
        schema: {
          tags,
          summary: 'Create agent',
          headers: IdempotencyHeader,
          body: named(AgentRequest),
          response: {
            201: answer(AgentBody, 'The agent.'),
            ...errors(401, 403, 404, 409, 413, 422),
          },
        },
      },
      async (request, reply) => {
        const abilitiesOf = await services.abilitiesIn(request.account.pool);
        const { status, body } = await createAgent(services, request, (agent) =>
          toBody({ agent, abilities: abilitiesOf(agent) }, request),
        );
        return reply.code(status).send(body);
      },
    );

    listRoute(app, '/v1/agents', {
      schema: {
        tags,
        summary: 'List agents',
        description: 'Most recent first.',
        response: { 200: answer(AgentPage, 'One page.'), ...errors(401, 422) },
      },
      async read({ account }, request) {
        const page = await agents.page(account.id, request);
        return { ...page, data: await withAbilities(services, account.pool, page.data) };
      },
      toBody,
    });

    retrieveRoute(app, '/v1/agents/:id', {
      schema: {
        tags,
        summary: 'Retrieve agent',
        response: { 200: answer(AgentBody, 'The agent.'), ...errors(401, 404) },
      },
      async find({ account, params }) {
        const agent = await agents.find(account.id, params.id);
        if (!agent) return null;
        const [able = null] = await withAbilities(services, account.pool, [agent]);
        return able;
      },
      toBody,
    });

    updateRoute(app, '/v1/agents/:id', {
      bodyLimit: AGENT_BODY_LIMIT,
      schema: {
        tags,
        summary: 'Update agent',
        body: named(AgentChanges),
        response: errors(401, 403, 404, 409, 413, 422),
      },
      update: (request) => changeAgent(services, request),
    });

    await deleteRoute(app, '/v1/agents/:id', {
      schema: {
        tags,
        summary: 'Delete agent',
        description: 'Its calls are kept.',
        response: errors(401, 404),
      },
      remove: (request) => deleteAgent(services, request),
    });

    await app.register(linkSecretRoutes(services));
  };

type AbleAgent = Parameters<typeof toAgentBody>[0];

async function withAbilities(
  { abilitiesIn }: Services,
  pool: string | null,
  agents: readonly Agent[],
): Promise<AbleAgent[]> {
  const abilitiesOf = await abilitiesIn(pool);
  return agents.map((agent) => ({ agent, abilities: abilitiesOf(agent) }));
}

const linkSecretRoutes =
  ({ auditor }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.post(
      '/v1/agents/:id/link-secret',
      {
        schema: {
          tags,
          summary: 'Make agent private',
          description:
            "Creates the agent's link secret, or replaces it. From then on its room page needs a link token, which your backend makes: a JWT (HS256) signed with the secret, with the agent's id as `sub` and an `exp`. The link is `<chat_url>#token=<link token>`. Open calls go on.",
          params: IdParams,
          response: { 201: answer(LinkSecret, 'The new secret.'), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const { account, params, log } = request;
        const secret = newLinkSecret();
        const entry = { action: 'agent.made_private', targetId: params.id } as const;
        const isMade = await auditor.change(request, entry, ({ linkSecrets }) =>
          linkSecrets.set(account.id, params.id, secret),
        );
        if (!isMade) throw new Fault('not_found');
        log.info({ agentId: params.id }, 'link secret created');
        return reply.code(201).send({ link_secret: secret });
      },
    );

    await deleteRoute(app, '/v1/agents/:id/link-secret', {
      schema: {
        tags,
        summary: 'Make agent public',
        description: 'Deletes its link secret. Anyone with the address can talk to it again.',
        response: errors(401, 404),
      },
      remove: (request) => {
        const { account, params } = request;
        const removed = { action: 'agent.made_public', targetId: params.id } as const;
        return auditor.change(request, removed, ({ linkSecrets }) =>
          linkSecrets.set(account.id, params.id, null),
        );
      },
    });
  };

type CreateRequest = FastifyRequest<{
  Body: Static<typeof OlderAgentRequest>;
  Headers: Static<typeof IdempotencyHeader>;
}>;

/** `toBody` gives the answer the form of the path. */
export async function createAgent<Body>(
  services: Services,
  request: CreateRequest,
  toBody: (agent: Agent) => Body,
): Promise<Answered<Body>> {
  const { idempotency, auditor, clock } = services;
  const { account, body, headers, log, method, routeOptions } = request;
  const requestIdentity = [method, routeOptions.url, body];
  return idempotency.once(account.id, headers['idempotency-key'], requestIdentity, async () => {
    const agent: Agent = {
      id: newRecordId(),
      accountId: account.id,
      ...(await readAgent(body, referredBy(services), account.id)),
      isPrivate: false,
      createdAt: clock.now(),
    };
    const agentBody = toStoredBody(agent, linkBases(services, request));
    const created = { action: 'agent.created', targetId: agent.id, after: agentBody } as const;
    await auditor.change(request, created, ({ agents }) =>
      agents.insert(agent, storageOf(account)),
    );
    log.info({ agentId: agent.id }, 'agent created');
    return { status: 201, body: toBody(agent) };
  });
}

export async function changeAgent(
  services: Services,
  request: ChangeRequest<AgentChanges>,
): Promise<boolean> {
  const { account, params, body } = request;
  const changes = await readChanges(body, referredBy(services), account.id);
  return releasingLogo(services, request, () =>
    services.auditor.around(request, audited(services, request, 'agent.updated'), ({ agents }) =>
      agents.update(account.id, params.id, changes),
    ),
  );
}

export async function deleteAgent(services: Services, request: IdRequest): Promise<boolean> {
  const { account, params, log } = request;
  const deleting = audited(services, request, 'agent.deleted');
  const isDeleted = await releasingLogo(services, request, () =>
    services.auditor.around(request, deleting, ({ agents }) =>
      agents.delete(account.id, params.id),
    ),
  );
  if (isDeleted) log.info({ agentId: params.id }, 'agent deleted');
  return isDeleted;
}

/** Deletes the agent's former logo if nothing else shows it. */
async function releasingLogo(
  { records: { agents, blobs } }: Services,
  { account, params }: IdRequest,
  change: () => Promise<boolean>,
): Promise<boolean> {
  const former = await agents.find(account.id, params.id);
  const isChanged = await change();
  const logoHash = former?.appearance.logoHash ?? null;
  if (logoHash !== null) await blobs.release([logoHash]);
  return isChanged;
}

const referredBy = ({ avatars, records: { blobs }, clock }: Services) => ({
  avatars,
  storeLogo: (bytes: Uint8Array) => blobs.put(bytes, clock.now()),
});

const linkBases = ({ chatBase, baseUrl }: Services, request: FastifyRequest) => ({
  chatBase: chatBase(request),
  baseUrl: baseUrl(request),
});

const audited = (
  services: Services,
  request: IdRequest,
  action: 'agent.updated' | 'agent.deleted',
) => ({
  action,
  targetId: request.params.id,
  async read({ agents }: AuditedRecords) {
    const agent = await agents.find(request.account.id, request.params.id);
    return agent && toStoredBody(agent, linkBases(services, request));
  },
});

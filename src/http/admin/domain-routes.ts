import { domainToASCII } from 'node:url';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Fault, problem } from '../../errors.ts';
import type { PageRequest } from '../../records/engine/pages.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { adminDoc } from './admin-schemas.ts';
import {
  AccountDomainBody,
  AccountDomainPage,
  AccountDomainRequest,
  toAccountDomainBody,
} from './domain-schemas.ts';
import { answer, errors, IdParams, named, PageQuery } from '../resource/schema-parts.ts';
import { answerPage, found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

/** E-mail domains whose people join an account when they first sign in by the OpenID provider. */
export const domainRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { records, auditor, clock } = services;

    app.post(
      '/admin/accounts/:id/domains',
      {
        schema: {
          ...adminDoc,
          summary: 'Give domain to account',
          description:
            'People whose verified e-mail address is in this domain join the account when they first sign in with the OpenID provider. A domain belongs to one account, and does not include its subdomains.',
          params: IdParams,
          body: named(AccountDomainRequest),
          response: {
            201: answer(AccountDomainBody, 'The domain.'),
            ...errors(404, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { id: accountId } = found(await records.accounts.find(request.params.id));
        const { role = 'viewer' } = request.body;
        const domain = domainToASCII(request.body.domain.toLowerCase());
        if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) {
          const message = 'Input should be a domain, such as example.com';
          throw problem('domain', ['body', 'domain'], message, request.body.domain);
        }
        const accountDomain = await auditor.create(
          request,
          ({ accountDomains }) =>
            accountDomains.add({ accountId, domain, role, createdAt: clock.now() }),
          (record) => ({
            action: 'account_domain.created',
            targetId: record.id,
            accountId,
            after: toAccountDomainBody(record),
          }),
        );
        if (!accountDomain) {
          const detail = 'An account already has this domain.';
          throw new Fault('conflict', { detail, advice: 'Remove it from that account first.' });
        }
        return reply.code(201).send(toAccountDomainBody(accountDomain));
      },
    );

    app.get(
      '/admin/accounts/:id/domains',
      {
        schema: {
          ...adminDoc,
          summary: 'List domains of account',
          description: 'Most recent first.',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: answer(AccountDomainPage, 'One page.'), ...errors(404, 422) },
        },
      },
      async (request) => {
        const { id } = found(await records.accounts.find(request.params.id));
        const read = (page: PageRequest) => records.accountDomains.page(id, page);
        return answerPage(request.query, read, toAccountDomainBody);
      },
    );

    await app.register(removeRoute(services));
  };

const DomainParams = Type.Object({
  ...IdParams.properties,
  domainId: Type.String({ minLength: 1 }),
});

const removeRoute =
  ({ auditor }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/admin/accounts/:id/domains/:domainId',
      {
        schema: {
          ...adminDoc,
          summary: 'Take domain away from account',
          description: 'New people no longer join by it. People who have joined stay.',
          params: DomainParams,
          response: { 204: Type.Null({ description: 'Taken away.' }), ...errors(404) },
        },
      },
      async (request, reply) => {
        const { id: accountId, domainId } = request.params;
        const accountDomain = await auditor.create(
          request,
          ({ accountDomains }) => accountDomains.remove(accountId, domainId),
          (record) => ({
            action: 'account_domain.deleted',
            targetId: record.id,
            accountId,
            before: toAccountDomainBody(record),
          }),
        );
        found(accountDomain);
        return reply.code(204).send(null);
      },
    );
  };

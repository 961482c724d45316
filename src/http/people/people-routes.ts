import type {
  FastifyPluginAsyncTypebox,
  TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox';
import type { Account } from '../../accounts/account.ts';
import { scopesOf } from '../../accounts/people/roles.ts';
import { Fault } from '../../errors.ts';
import type { PersonGroup } from '../../records/people/people.ts';
import { isoTime } from '#shared/iso-time.ts';
import { rightsOf } from '../auth/given-rights.ts';
import { consoleLink } from '#shared/network/page-link.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, IdParams, named } from '../resource/schema-parts.ts';
import {
  PersonBody,
  PersonChanges,
  PersonPage,
  SignInLink,
  toPersonBody,
} from './people-schemas.ts';
import { memberChanges } from './change-members.ts';
import { deleteRoute, found, listRoute } from '../resource/resource-routes.ts';
import { linkMaker, roleRefused } from './invitation-routes.ts';
import type { Services } from '../services.ts';

const LINK_VALID_MS = 86_400_000;
const tags = ['Account'];

const groupOf = ({ id }: Account): PersonGroup => ({ accountId: id });

/** The people of the account. */
export const peopleRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { records } = services;
    const members = memberChanges(services, 'person', toPersonBody);

    listRoute(app, '/v1/people', {
      schema: {
        tags,
        summary: 'List people',
        description: 'Who may use the console for this account, most recent first.',
        response: { 200: answer(PersonPage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => records.people.page(groupOf(account), page),
      toBody: toPersonBody,
    });

    app.patch(
      '/v1/people/:id',
      {
        schema: {
          tags,
          summary: 'Change role of person',
          description: 'Takes effect with their next request. The last owner stays one.',
          params: IdParams,
          body: named(PersonChanges),
          response: { 200: answer(PersonBody, 'The person.'), ...errors(401, 403, 404, 409, 422) },
        },
      },
      async (request) => {
        const { account, params, body } = request;
        const hasRights = await rightsOf(records, request);
        if (!hasRights({ scopes: scopesOf(body.role), isOperator: false })) throw roleRefused();
        const member = { group: groupOf(account), id: params.id };
        return members.change(request, member, { role: body.role });
      },
    );

    await deleteRoute(app, '/v1/people/:id', {
      schema: {
        tags,
        summary: 'Remove person',
        description: 'Ends their sign-ins. The last owner stays.',
        response: errors(401, 404, 409),
      },
      remove: (request) =>
        members.remove(request, { group: groupOf(request.account), id: request.params.id }),
    });

    await app.register(linkRoute(services));
  };

const linkRoute =
  ({ personLinks, records, auditor, baseUrl }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.withTypeProvider<TypeBoxTypeProvider>().post(
      '/v1/people/:id/sign-in-links',
      {
        schema: {
          tags,
          summary: 'Create sign-in link',
          description:
            'The link works once and for one day. It is meant for people who have forgotten their password. Only an operator creates one for an operator.',
          params: IdParams,
          response: { 201: answer(SignInLink, 'The link.'), ...errors(401, 403, 404) },
        },
      },
      async (request, reply) => {
        const { account, params } = request;
        const hasRights = await rightsOf(records, request);
        const signInLink = await auditor.create(
          request,
          async ({ people, personLinks: links }) => {
            const person = await people.findMember(groupOf(account), params.id);
            if (!person?.role) return null;
            const isOperator = person.operatorSince !== null;
            if (!hasRights({ scopes: scopesOf(person.role), isOperator })) throw linkRefused();
            const link = { maker: linkMaker(request), validMs: LINK_VALID_MS };
            return personLinks.signIn(person, link, links);
          },
          () => ({ action: 'person.link_created', targetId: params.id }),
        );
        const { code, expiresAt } = found(signInLink);
        reply.header('cache-control', 'no-store');
        return reply
          .code(201)
          .send({ link: consoleLink(baseUrl(request), code), expires_at: isoTime(expiresAt) });
      },
    );
  };

const linkRefused = (): Fault =>
  new Fault('forbidden', {
    detail:
      'The person has rights that you lack. For an operator, another operator can create the link. On the machine of the service: npm run key -- console',
  });

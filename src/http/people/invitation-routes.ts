import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { consoleLink } from '#shared/network/page-link.ts';
import { scopesOf } from '../../accounts/people/roles.ts';
import { Fault } from '../../errors.ts';
import type { Grants, LinkMaker } from '../../records/people/person-links.ts';
import { rightsOf } from '../auth/given-rights.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import {
  InvitationPage,
  InvitationRequest,
  MadeInvitation,
  toInvitationBody,
} from './people-schemas.ts';
import { deleteRoute, listRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const HOUR_MS = 3_600_000;
const tags = ['Account'];

/** Invitations to the account. */
export const invitationRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { records, auditor, clock } = services;

    app.post(
      '/v1/invitations',
      {
        schema: {
          tags,
          summary: 'Invite person',
          description:
            'The invited person opens the link, chooses a password and joins the account. A caller whose scopes are limited cannot give a role with other scopes.',
          body: named(InvitationRequest),
          response: {
            201: answer(MadeInvitation, 'The invitation, with its link.'),
            ...errors(401, 403, 422),
          },
        },
      },
      async (request, reply) => {
        const { role, name = null, expires_in_hours: hours } = request.body;
        const grants = { role, name, isOperator: false };
        const hasRights = await rightsOf(records, request);
        if (!hasRights({ scopes: scopesOf(role), isOperator: false })) throw roleRefused();
        const invitation = { accountId: request.account.id, grants, hours };
        reply.header('cache-control', 'no-store');
        return reply.code(201).send(await invite(services, request, invitation));
      },
    );

    listRoute(app, '/v1/invitations', {
      schema: {
        tags,
        summary: 'List invitations',
        description: 'Those that are still open, most recent first.',
        response: { 200: answer(InvitationPage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => records.personLinks.invitations(account.id, clock.now(), page),
      toBody: toInvitationBody,
    });

    await deleteRoute(app, '/v1/invitations/:id', {
      schema: { tags, summary: 'Withdraw invitation', response: errors(401, 404) },
      remove: (request) => {
        const { account, params } = request;
        const change = { action: 'invitation.deleted', targetId: params.id } as const;
        return auditor.change(request, change, (records) =>
          records.personLinks.remove(account.id, params.id),
        );
      },
    });
  };

export const roleRefused = (): Fault =>
  new Fault('forbidden', {
    detail: 'The role has rights that you lack. Choose a smaller role, or ask an owner.',
  });

type Invitation = { accountId: string | null; grants: Grants; hours?: number | undefined };

/** The invitation with its link. */
export async function invite(
  { personLinks, auditor, baseUrl }: Services,
  request: FastifyRequest,
  { accountId, grants, hours = 72 }: Invitation,
) {
  const invitation = { accountId, grants, maker: linkMaker(request), validMs: hours * HOUR_MS };
  const { code, ...link } = await auditor.create(
    request,
    (records) => personLinks.invite(invitation, records.personLinks),
    (link) => ({
      action: 'invitation.created',
      targetId: link.id,
      accountId,
      after: toInvitationBody(link),
    }),
  );
  return { ...toInvitationBody(link), link: consoleLink(baseUrl(request), code) };
}

/** Whose rights the links of this request pass on. */
export function linkMaker({ actor }: FastifyRequest): LinkMaker | null {
  if (!actor?.id) return null;
  return { type: actor.type === 'key' ? 'key' : 'person', id: actor.id };
}

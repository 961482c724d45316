import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Fault, problem } from '../../errors.ts';
import type { PersonLinkRecord } from '../../records/people/person-links.ts';
import { LinkCode, LinkLook, LinkUse, Me, toLinkLook, toMe } from './console-schemas.ts';
import { found } from '../resource/resource-routes.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { changePerson } from './change-person.ts';
import type { Services } from '../services.ts';

/** One-time links: invitations, and links that sign someone in. */
export const consoleLinkRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { people, limits } = services;
    const { records } = services;
    const { accounts } = records;

    app.post(
      '/links/look',
      { schema: { hide: true, body: LinkCode, response: { 200: LinkLook } } },
      async (request) => {
        limits.countStranger(request);
        const link = await findLink(services, request, request.body.code);
        const account = link.accountId === null ? null : await accounts.find(link.accountId);
        return toLinkLook(link, account);
      },
    );

    app.post(
      '/links/use',
      { schema: { hide: true, body: LinkUse, response: { 200: Me } } },
      async (request, reply) => {
        limits.countStranger(request);
        const { code, name, password } = request.body;
        const link = await findLink(services, request, code);
        if (link.personId !== null) {
          const person = await records.people.find(link.personId);
          const called = person?.name ?? link.grants.name ?? '';
          const passwordHash =
            password === undefined
              ? null
              : await people.hash(password, called, person ?? undefined);
          const signedIn = found(
            await beginSignIn(services, request, reply, (records) =>
              people.useSignInLink(code, records),
            ),
          );
          // The link proves who they are, for those who forgot their password.
          const change = passwordHash === null ? null : { passwordHash };
          return toMe(change ? await changePerson(services, request, signedIn, change) : signedIn);
        }
        const called = link.grants.name ?? name;
        if (called === undefined) throw missing('name');
        if (password === undefined) throw missing('password');
        const passwordHash = await people.hash(password, called);
        const accepted = { code, name: called, passwordHash };
        const signedIn = await beginSignIn(services, request, reply, (records) =>
          people.acceptInvitation(accepted, records),
        );
        if (!signedIn) throw spent();
        return toMe(signedIn);
      },
    );
  };

/** Throws for a used, expired or unknown code, and while the address waits. */
export async function findLink(
  { people, guesses }: Services,
  request: FastifyRequest,
  code: string,
): Promise<PersonLinkRecord> {
  const link = await people.findLink(code);
  await guesses.judge(request, 'link', link !== null);
  if (!link) throw spent();
  return link;
}

const missing = (field: string): Fault =>
  problem('missing', ['body', field], 'Field required', null);

const spent = (): Fault =>
  new Fault('not_found', {
    detail: 'This link was already used, has expired, or is incomplete.',
    advice: 'Ask for another link. On the machine of the service: npm run key -- console',
  });

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { People } from '../../accounts/people/people.ts';
import { Fault, problem } from '../../errors.ts';
import type { AccountRecords } from '../../records/accounts/accounts.ts';
import type { RateLimits } from '../limits/rate-limit.ts';
import { LinkCode, LinkLook, LinkUse, Me, toLinkLook, toMe } from './console-schemas.ts';
import { found } from '../resource/resource-routes.ts';
import { beginSignIn, type BeginSignInParts } from './begin-sign-in.ts';
import { changePerson } from './change-person.ts';

export type ConsoleLinkParts = BeginSignInParts & {
  people: Pick<People, 'findLink' | 'useSignInLink' | 'acceptInvitation' | 'hash' | 'change'>;
  accounts: Pick<AccountRecords, 'find'>;
  limits: RateLimits;
};

/** One-time links: invitations, and links that sign someone in. */
export const consoleLinkRoutes =
  (parts: ConsoleLinkParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { people, accounts, limits } = parts;

    app.post(
      '/links/look',
      { schema: { hide: true, body: LinkCode, response: { 200: LinkLook } } },
      async (request) => {
        limits.countStranger(request);
        const link = await people.findLink(request.body.code);
        if (!link) throw spent();
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
        const link = await people.findLink(code);
        if (!link) throw spent();
        if (link.personId !== null) {
          const passwordHash = password === undefined ? null : await people.hash(password);
          const signedIn = found(
            await beginSignIn(parts, request, reply, (records) =>
              people.useSignInLink(code, records),
            ),
          );
          // The link proves who they are, for those who forgot their password.
          const change = passwordHash === null ? null : { passwordHash };
          return toMe(change ? await changePerson(parts, request, signedIn, change) : signedIn);
        }
        const called = link.grants.name ?? name;
        if (called === undefined) throw missing('name');
        if (password === undefined) throw missing('password');
        const passwordHash = await people.hash(password);
        const accepted = { code, name: called, passwordHash };
        const signedIn = await beginSignIn(parts, request, reply, (records) =>
          people.acceptInvitation(accepted, records),
        );
        if (!signedIn) throw spent();
        return toMe(signedIn);
      },
    );
  };

const missing = (field: string): Fault =>
  problem('missing', ['body', field], 'Field required', null);

const spent = (): Fault =>
  new Fault('not_found', {
    detail: 'This link was used already, has expired, or is not complete.',
    advice: 'Ask for another link. On the machine of the service: npm run key -- console',
  });

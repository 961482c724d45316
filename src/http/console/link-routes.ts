import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Fault, problem } from '../../errors.ts';
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
    const { accounts } = services.records;

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
        const passwordHash = await people.hash(password);
        const accepted = { code, name: called, passwordHash };
        const signedIn = await beginSignIn(services, request, reply, (records) =>
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

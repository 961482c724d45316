import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { Fault } from '../../errors.ts';
import { isFromThisMachine } from '../auth/loopback.ts';
import { addressOf } from '../limits/rate-limit.ts';
import type { AccountRecords } from '../../records/accounts/accounts.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import { Me, Nothing, PasswordSignIn, toMe, Ways } from './console-schemas.ts';
import { found } from '../resource/resource-routes.ts';
import { beginSignIn } from './begin-sign-in.ts';
import type { Services } from '../services.ts';

export const consoleSignInRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { people, consoleAccess, openid, records, limits, guesses } = services;

    const isOpen = async (request: FastifyRequest) =>
      services.settings.opensForThisMachine &&
      isFromThisMachine(request.raw) &&
      !(await people.hasSecured());

    app.get('/ways', { schema: { hide: true, response: { 200: Ways } } }, async (request) => ({
      this_machine: await isOpen(request),
      password: await people.hasSecured(),
      openid: openid && { name: openid.name },
      version: SOFTWARE_VERSION,
    }));

    app.post(
      '/sign-in',
      { schema: { hide: true, body: PasswordSignIn, response: { 200: Me } } },
      async (request, reply) => {
        const { name, password, person_id: personId } = request.body;
        const namesakes = await records.people.named(name);
        const admittedPeople = await guesses.judgeNamed(request, {
          name,
          people: namesakes,
          check: () => people.withPassword(namesakes, password),
        });
        const chosenPeople = admittedPeople.filter(
          ({ id }) => personId === undefined || id === personId,
        );
        if (chosenPeople.length > 1) throw await ambiguous(chosenPeople, records.accounts);
        const [person] = chosenPeople;
        if (!person) {
          request.log.warn({ address: addressOf(request) }, 'console sign-in refused');
          throw new Fault('sign_in_failed');
        }
        return toMe(found(await beginSignIn(services, request, reply, async () => person)));
      },
    );

    app.post(
      '/sign-in/this-machine',
      { schema: { hide: true, body: Nothing, response: { 200: Me } } },
      async (request, reply) => {
        if (!(await isOpen(request))) {
          limits.countStranger(request);
          throw new Fault('forbidden', { detail: NOT_OPEN });
        }
        const owner = people.firstOwner.bind(people);
        return toMe(found(await beginSignIn(services, request, reply, owner)));
      },
    );

    app.post(
      '/sign-out',
      { schema: { hide: true, body: Nothing, response: { 204: Type.Null() } } },
      async (request, reply) => {
        const signedIn = await consoleAccess.find(request, reply);
        if (signedIn) await records.signIns.remove(signedIn.person.id, signedIn.signIn.id);
        consoleAccess.cookie.clear(request, reply);
        return reply.code(204).send(null);
      },
    );
  };

/** The caller has proved the password of each, so may know their accounts. */
async function ambiguous(
  people: PersonRecord[],
  accounts: Pick<AccountRecords, 'find'>,
): Promise<Fault> {
  const names = people.map(async ({ accountId }) =>
    accountId === null ? 'the installation' : ((await accounts.find(accountId))?.name ?? ''),
  );
  return new Fault('conflict', {
    detail: 'Your name and password are valid for several accounts.',
    advice: 'Choose an account: send its `person_id` too.',
    about: { person_ids: people.map(({ id }) => id), account_names: await Promise.all(names) },
  });
}

const NOT_OPEN =
  'This works only in a browser on the machine of the service, and only until a password is set. Create a link there: npm run key -- console';

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { Fault } from '../../errors.ts';
import { isFromThisMachine } from '../auth/loopback.ts';
import { FailureDelays } from '../limits/failure-delays.ts';
import { PasswordTries } from '../limits/password-tries.ts';
import { addressOf, refusal } from '../limits/rate-limit.ts';
import { Me, Nothing, PasswordSignIn, toMe, Ways } from './console-schemas.ts';
import { found } from '../resource/resource-routes.ts';
import { beginSignIn } from './begin-sign-in.ts';
import type { Services } from '../services.ts';

export const consoleSignInRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { people, consoleAccess, openid, records, limits, clock } = services;
    const tries = new PasswordTries(clock);
    const delays = new FailureDelays(clock);

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
        const { name, password } = request.body;
        const address = addressOf(request);
        const waitMs = delays.begin(`${address} ${name}`);
        if (waitMs > 0) throw refusal(waitMs, WAIT);
        const { isSuspect } = tries.begin(request);
        const person = await people.authenticate({ name, password, isSuspect });
        if (!person) {
          request.log.warn({ address }, 'console sign-in refused');
          throw new Fault('sign_in_failed');
        }
        delays.succeeded(`${address} ${name}`);
        tries.succeeded(request);
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

const WAIT =
  'Too many wrong passwords. Wait as Retry-After says, or make a link on the machine of the service: npm run key -- console';
const NOT_OPEN =
  'This needs a browser on the machine of the service, while nobody has a password. Make a link there: npm run key -- console';

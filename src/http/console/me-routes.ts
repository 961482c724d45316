import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { endOf } from '../../accounts/people/sign-ins.ts';
import { Fault } from '../../errors.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import type { SignInRecords } from '../../records/people/sign-ins.ts';
import { actorOf, requireSignIn } from './console-access.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { IdParams } from '../resource/schema-parts.ts';
import { Browsers, Me, MeChanges, toBrowser, toMe } from './console-schemas.ts';
import { changePerson } from './change-person.ts';
import type { Services } from '../services.ts';

/** Routes with which people see and change their own data. */
export const meRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { consoleAccess, people, guesses, records, auditor, clock } = services;
    /** `end` returns false if there is nothing to end. */
    const signOut = (
      request: FastifyRequest,
      person: PersonRecord,
      end: (records: SignInRecords) => Promise<boolean>,
    ): Promise<boolean> => {
      const { id, accountId } = person;
      request.actor = actorOf(person);
      const entry = { action: 'person.signed_out', targetId: id, accountId } as const;
      return auditor.change(request, entry, (records) => end(records.signIns));
    };
    const caller = (request: FastifyRequest, reply: FastifyReply) =>
      requireSignIn(consoleAccess, request, reply);

    app.get('/me', { schema: { hide: true, response: { 200: Me } } }, async (request, reply) =>
      toMe(await caller(request, reply)),
    );

    app.patch(
      '/me',
      { schema: { hide: true, body: MeChanges, response: { 200: Me } } },
      async (request, reply) => {
        const signedIn = await caller(request, reply);
        const { person } = signedIn;
        const { name, password, current_password: current } = request.body;
        if (person.passwordHash !== null) {
          if (current === undefined) throw new Fault('sign_in_failed', { detail: WRONG });
          const [proven] = await guesses.judgeNamed(request, {
            name: person.name,
            people: [person],
            check: () => people.withPassword([person], current),
          });
          if (!proven) throw new Fault('sign_in_failed', { detail: WRONG });
        }
        // A new name needs a new hash: namesakes share a salt.
        const newPassword = password ?? current;
        const change = {
          ...(name !== undefined && { name }),
          ...(newPassword !== undefined && {
            passwordHash: await people.hash(newPassword, name ?? person.name, person),
          }),
        };
        return toMe(await changePerson(services, request, signedIn, change));
      },
    );

    app.get(
      '/browsers',
      { schema: { hide: true, response: { 200: Browsers } } },
      async (request, reply) => {
        const { person, signIn } = await caller(request, reply);
        const signIns = await records.signIns.of(person.id);
        const now = clock.now();
        const open = signIns.filter((each) => endOf(each) > now);
        return { data: open.map((each) => toBrowser(each, signIn)) };
      },
    );

    await app.register(async (bodiless) => {
      ignoreBodies(bodiless);
      bodiless.delete<{ Params: { id: string } }>(
        '/browsers/:id',
        { schema: { hide: true, params: IdParams, response: { 204: Type.Null() } } },
        async (request, reply) => {
          const { person } = await caller(request, reply);
          const isEnded = await signOut(request, person, (signIns) =>
            signIns.remove(person.id, request.params.id),
          );
          if (!isEnded) throw new Fault('not_found');
          return reply.code(204).send(null);
        },
      );

      bodiless.delete(
        '/browsers',
        { schema: { hide: true, response: { 204: Type.Null() } } },
        async (request, reply) => {
          const { person, signIn } = await caller(request, reply);
          await signOut(request, person, (signIns) => signIns.removeAll(person.id, signIn.id));
          return reply.code(204).send(null);
        },
      );
    });
  };

const WRONG = 'The current password is wrong. Send it as `current_password`.';

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AdminAccess } from '../auth/admin-access.ts';
import { adminDoc } from './admin-schemas.ts';
import { SignInBody, SignInRequest, toSignInBody } from './administrator-schemas.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import type { Services } from '../services.ts';

/** The only admin route that needs no earlier sign-in. */
export const signInRoutes =
  ({ adminSignIns, guesses, auditor }: Services, access: AdminAccess): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/admin/sign-ins',
      {
        schema: {
          ...adminDoc,
          security: [],
          summary: 'Sign in',
          description:
            'Gives a token for eight hours. It ends early with a new password or the removal of the administrator.',
          body: named(SignInRequest),
          response: { 201: answer(SignInBody, 'The token.'), ...errors(401, 422, 429) },
        },
      },
      async (request, reply) => {
        const { name, password } = request.body;
        const admin = await access.authenticate(request, name, password);
        const { id } = admin;
        request.actor = { type: 'admin', id, name: admin.name };
        const entry = { action: 'admin.signed_in', targetId: id } as const;
        const signIn = await auditor.change(request, entry, (records) =>
          adminSignIns.begin(admin, records.people),
        );
        await guesses.remember(request, admin);
        reply.header('cache-control', 'no-store');
        return reply.code(201).send(toSignInBody(signIn));
      },
    );
  };

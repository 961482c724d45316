import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Auditor } from '../../audit/auditor.ts';
import type { AdminAccess } from '../../auth/admin-access.ts';
import { adminDoc } from '../../schemas/admin.ts';
import { SignInBody, SignInRequest, toSignInBody } from '../../schemas/admins.ts';
import { answer, errors, named } from '../../schemas/common.ts';

/** The only admin route that needs no earlier sign-in. */
export const signInRoutes =
  (access: AdminAccess, { auditor }: { auditor: Auditor }): FastifyPluginAsyncTypebox =>
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
        const signIn = await access.signIn(request, name, password);
        const { id } = signIn.admin;
        request.actor = { type: 'admin', id, name: signIn.admin.name };
        await auditor.record(request, { action: 'admin.signed_in', targetId: id });
        reply.header('cache-control', 'no-store');
        return reply.code(201).send(toSignInBody(signIn));
      },
    );
  };

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { Fault } from '../../errors.ts';
import type { Services } from '../services.ts';
import { bearerOf } from './credentials.ts';
import { LIFETIME_SECONDS } from './page-token.ts';

const Proof = Type.Object({
  code: Type.Optional(Type.String()),
  refresh_token: Type.Optional(Type.String()),
});

/** Without a token: the browser's cookie of the console is enough. */
const PageToken = Type.Object({
  token: Type.Optional(Type.String()),
  expires_in_seconds: Type.Optional(Type.Integer()),
  refresh_token: Type.Optional(Type.String()),
});

export const pageTokenRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { pageTokens, pageCode, adminPassword, consoleAccess, limits, guesses } = services;
    app.post(
      '/page-token',
      {
        schema: {
          hide: true,
          // Without a body: only the admin password may be given.
          body: Type.Union([Type.Null(), Proof]),
          response: { 201: PageToken },
        },
      },
      async (request, reply) => {
        reply.code(201).header('cache-control', 'no-store');
        const tokenFor = (kind: 'page' | 'password') => ({
          token: pageTokens.issue(kind),
          expires_in_seconds: LIFETIME_SECONDS[kind],
        });
        if (adminPassword && bearerOf(request) !== null) {
          await adminPassword.check(request);
          return tokenFor('password');
        }
        const proof: Static<typeof Proof> = request.body ?? {};
        if (!proof.code) {
          const signedIn = await consoleAccess.find(request, reply);
          if (signedIn?.account) return {};
        }
        if (proof.refresh_token && pageTokens.check(proof.refresh_token, 'refresh')) {
          return { ...tokenFor('page'), refresh_token: pageTokens.issue('refresh') };
        }
        limits.countStranger(request);
        if (proof.code) await guesses.judge(request, 'link', pageCode.is(proof.code));
        if (proof.code && pageCode.use(proof.code)) {
          request.log.info('try page opened with its link');
          return { ...tokenFor('page'), refresh_token: pageTokens.issue('refresh') };
        }
        throw new Fault('forbidden', {
          detail: proof.code ? SPENT_LINK : NO_LINK,
          // The page then asks its user for the password.
          about: adminPassword ? { instead: 'admin_password' } : {},
        });
      },
    );
  };

const NO_LINK = 'This browser needs the link that npm start printed.';
const SPENT_LINK =
  'This link was already used, or is older than the last start. Use the link that npm start printed last.';

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Identity, OpenidFlow } from '../../accounts/people/openid.ts';
import { Fault } from '../../errors.ts';
import { Cookie, type CookieKind } from './cookie.ts';
import { beginSignIn } from './begin-sign-in.ts';
import type { Services } from '../services.ts';

/** Cookie of a running sign-in. It is Lax, because the provider returns by a navigation. */
const FLOW: CookieKind = { name: 'troupe_openid', sameSite: 'Lax', seconds: 600 };

type FlowState = OpenidFlow & {
  /** The code of an invitation. */
  link: string | null;
};

/** Pages that the browser visits, so errors are shown by the console. */
export const consoleOpenidRoutes =
  (services: Services): FastifyPluginAsync =>
  async (app) => {
    const { openid, people, consoleAccess, settings, baseUrl } = services;
    if (!openid) return;
    const cookie = new Cookie(settings.publicUrl, FLOW);
    const callback = (request: FastifyRequest) => `${baseUrl(request)}/console/api/openid/callback`;
    app.get<{ Querystring: { link?: string } }>(
      '/openid/start',
      { schema: { hide: true } },
      async (request, reply) => {
        consoleAccess.requireSameOrigin(request);
        try {
          const { url, flow } = await openid.begin(callback(request));
          const state: FlowState = { ...flow, link: request.query.link ?? null };
          const text = Buffer.from(JSON.stringify(state)).toString('base64url');
          cookie.set(request, reply, text);
          return await reply.redirect(url);
        } catch (error) {
          return fail(request, reply, error, `${openid.name} does not answer.`);
        }
      },
    );

    app.get('/openid/callback', { schema: { hide: true } }, async (request, reply) => {
      const flowState = readFlowState(cookie.read(request));
      cookie.clear(request, reply);
      if (!flowState) return fail(request, reply, null, 'This sign-in took too long. Try again.');
      let identity: Identity;
      try {
        const query = request.url.replace(/^[^?]*/, '');
        identity = await openid.finish(`${callback(request)}${query}`, flowState);
      } catch (error) {
        return fail(request, reply, error, `${openid.name} did not confirm who you are.`);
      }
      try {
        const signedIn = await beginSignIn(services, request, reply, (records) =>
          people.identify(identity, flowState.link, records),
        );
        if (signedIn) return await reply.redirect('/console');
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        return fail(request, reply, error, error.message);
      }
      const personName = identity.email ?? identity.name;
      return fail(
        request,
        reply,
        null,
        `${personName} is not invited. Ask an owner for an invitation.`,
      );
    });
  };

/** The console shows the text. */
function fail(request: FastifyRequest, reply: FastifyReply, error: unknown, text: string) {
  request.log.warn({ err: error }, 'OpenID sign-in failed');
  return reply.redirect(`/console#error=${encodeURIComponent(text)}`);
}

function readFlowState(text: string | null): FlowState | null {
  if (text === null) return null;
  try {
    const flowState = JSON.parse(Buffer.from(text, 'base64url').toString()) as Partial<FlowState>;
    const { state, nonce, verifier, link = null } = flowState;
    return state && nonce && verifier ? { state, nonce, verifier, link } : null;
  } catch {
    return null;
  }
}

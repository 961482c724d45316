import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../../accounts/people/openid.ts';
import { Fault } from '../../errors.ts';
import { Cookie, type CookieKind } from './cookie.ts';
import { beginSignIn } from './begin-sign-in.ts';
import { OpenidAddress, OpenidStart } from './console-schemas.ts';
import { findLink } from './link-routes.ts';
import { FLOW_SECONDS, OpenidFlows } from './openid-flows.ts';
import type { Services } from '../services.ts';

/** Cookie of a running sign-in. It is Lax, because the provider returns by a navigation. */
const FLOW: CookieKind = { name: 'troupe_openid', sameSite: 'Lax', seconds: FLOW_SECONDS };

const callbackOf = ({ baseUrl }: Services, request: FastifyRequest): string =>
  `${baseUrl(request)}/console/api/openid/callback`;

export function consoleOpenidRoutes(services: Services) {
  const cookie = new Cookie(services.settings.publicUrl, FLOW);
  const flows = new OpenidFlows({ ...services, secret: services.records.signingSecret });
  return {
    start: startRoute(services, cookie, flows),
    callback: callbackRoute(services, cookie, flows),
  };
}

/** The code of a link comes in a body: addresses stay in logs and histories. */
const startRoute =
  (services: Services, cookie: Cookie, flows: OpenidFlows): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { openid } = services;
    if (!openid) return;
    app.post(
      '/openid/start',
      { schema: { hide: true, body: OpenidStart, response: { 200: OpenidAddress } } },
      async (request, reply) => {
        services.limits.countStranger(request);
        const { link = null } = request.body;
        if (link !== null) await findLink(services, request, link);
        const { url, flow } = await openid
          .begin(callbackOf(services, request))
          .catch((cause: unknown) => {
            const detail = `${openid.name} does not answer.`;
            throw new Fault('provider_away', { detail, cause, retryAfterSeconds: 10 });
          });
        cookie.set(request, reply, await flows.seal({ ...flow, link }));
        return { url };
      },
    );
  };

/** A page that the browser visits, so errors are shown by the console. */
const callbackRoute =
  (services: Services, cookie: Cookie, flows: OpenidFlows): FastifyPluginAsync =>
  async (app) => {
    const { openid, identities } = services;
    if (!openid) return;
    app.get('/openid/callback', { schema: { hide: true } }, async (request, reply) => {
      services.limits.countStranger(request);
      const text = cookie.read(request);
      const flow = text === null ? null : await flows.use(text);
      cookie.clear(request, reply);
      if (!flow) return fail(request, reply, null, 'This sign-in took too long. Try again.');
      let identity: Identity;
      try {
        const query = request.url.replace(/^[^?]*/, '');
        identity = await openid.finish(`${callbackOf(services, request)}${query}`, flow);
      } catch (error) {
        return fail(request, reply, error, `${openid.name} did not confirm who you are.`);
      }
      try {
        const signedIn = await beginSignIn(services, request, reply, (records) =>
          identities.personOf(identity, flow.link, records),
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

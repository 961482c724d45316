import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { listen } from '../loopback.ts';

const CLIENT = { client_id: 'troupe', client_secret: 'a secret of the provider' };

/**
 * A real OpenID provider on this machine. Who signs in there as `ada` has the verified address
 * `ada@example.com`; `eve` claims the same one.
 */
export async function openOpenidProvider() {
  const server = createServer();
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  return {
    /** Settings of a service that trusts it. */
    env: {
      OPENID_ISSUER: issuer,
      OPENID_CLIENT_ID: CLIENT.client_id,
      OPENID_CLIENT_SECRET: CLIENT.client_secret,
      OPENID_NAME: 'Acme',
    },
    /** Answers from now on. `home`: the address of the service. */
    serve(home: string): void {
      const provider = new Provider(issuer, {
        clients: [{ ...CLIENT, redirect_uris: [`${home}/console/api/openid/callback`] }],
        findAccount: (_context, subject) => ({
          accountId: subject,
          claims: () => ({
            sub: subject,
            email: subject === 'eve' ? 'ada@example.com' : `${subject}@example.com`,
            email_verified: subject !== 'eve',
          }),
        }),
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['for this test'] },
        pkce: { required: () => true },
      });
      server.on('request', provider.callback());
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

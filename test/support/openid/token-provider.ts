import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { listen } from '../loopback.ts';

export const CLIENT_SECRET = 'a secret of the provider, of 32 letters';
export const KEY_ID = 'the key of the provider';

/** The parts of an ID token. */
export type IdToken = { claims: JWTPayload; header: { alg: string; kid: string } };

/** Signs with any key, or not at all. */
export type MakeToken = (token: IdToken) => Promise<string>;

/**
 * An OpenID provider that sends any ID token. `metadata`: instead of its own, such as other
 * endpoints.
 */
export async function openTokenProvider(metadata: object = {}) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(publicKey);
  let makeToken: MakeToken = ({ claims, header }) =>
    new SignJWT(claims).setProtectedHeader(header).sign(privateKey);
  let claims: JWTPayload = {};

  const answers: Record<string, () => object | Promise<object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
      ...metadata,
    }),
    '/keys': () => ({ keys: [{ ...jwk, kid: KEY_ID, alg: 'RS256', use: 'sig' }] }),
    '/token': async () => ({
      access_token: 'any',
      token_type: 'bearer',
      id_token: await makeToken({ claims, header: { alg: 'RS256', kid: KEY_ID } }),
    }),
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    void Promise.resolve(answer?.() ?? null).then((body) => reply(response, body));
  });
  const issuer = `http://127.0.0.1:${await listen(server)}`;
  return {
    publicKey,
    privateKey,
    env: {
      OPENID_ISSUER: issuer,
      OPENID_CLIENT_ID: 'troupe',
      OPENID_CLIENT_SECRET: CLIENT_SECRET,
      OPENID_NAME: 'Acme',
    },
    /** The next token is for the sign-in that begins at `url`. Returns where to come back to. */
    answer(url: string, changes: JWTPayload = {}, make?: MakeToken): string {
      const { searchParams } = new URL(url);
      const now = Math.floor(Date.now() / 1000);
      claims = {
        iss: issuer,
        sub: 'ada',
        aud: 'troupe',
        iat: now,
        exp: now + 300,
        nonce: searchParams.get('nonce')!,
        email: 'ada@example.com',
        email_verified: true,
        ...changes,
      };
      if (make) makeToken = make;
      const query = new URLSearchParams({ code: 'any', state: searchParams.get('state')! });
      return `${searchParams.get('redirect_uri')}?${query}`;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function reply(response: ServerResponse, body: object | null): void {
  response.statusCode = body ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}

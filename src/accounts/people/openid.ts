/*
 * Sign-in by an OpenID provider: the authorization code flow with PKCE. The provider is asked when
 * a person first signs in, so that a start does not depend on it. Its ID tokens must be signed with
 * a key that it publishes, although they come from the provider itself.
 */
import type { Configuration } from 'openid-client';

export type OpenidSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Shown on the button. */
  name: string;
};

/** State that the browser keeps while it is at the provider. */
export type OpenidFlow = { state: string; nonce: string; verifier: string };

export type Identity = {
  /** Issuer and subject. Nothing else identifies a person. */
  subject: string;
  /** Null unless the provider has verified it. */
  email: string | null;
  /** The name to show. It proves nothing. */
  name: string;
};

const ANSWER_WITHIN_SECONDS = 10;

export class Openid {
  readonly name: string;
  readonly #settings: OpenidSettings;
  #found: Promise<Configuration> | null = null;

  constructor(settings: OpenidSettings) {
    this.#settings = settings;
    this.name = settings.name;
  }

  /** Where the browser goes to sign in. */
  async begin(redirectUri: string): Promise<{ url: string; flow: OpenidFlow }> {
    const openid = await import('openid-client');
    const config = await this.#discover();
    const flow = {
      state: openid.randomState(),
      nonce: openid.randomNonce(),
      verifier: openid.randomPKCECodeVerifier(),
    };
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      code_challenge: await openid.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
      state: flow.state,
      nonce: flow.nonce,
    });
    return { url: url.href, flow };
  }

  /** `callbackUrl`: where the browser came back to, with its query. Rejects an invalid answer. */
  async finish(callbackUrl: string, flow: OpenidFlow): Promise<Identity> {
    const openid = await import('openid-client');
    const config = await this.#discover();
    const tokens = await openid.authorizationCodeGrant(config, new URL(callbackUrl), {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('the provider sent no ID token');
    const email =
      claims['email_verified'] === true && typeof claims['email'] === 'string'
        ? claims['email']
        : null;
    const name = [email, claims['preferred_username'], claims['name']].find(isName) ?? claims.sub;
    const subject = `${claims.iss} ${claims.sub}`;
    return { subject, email, name: withoutControls(name).slice(0, 100) };
  }

  #discover(): Promise<Configuration> {
    this.#found ??= this.#ask().catch((error: unknown) => {
      // The next sign-in asks again.
      this.#found = null;
      throw error;
    });
    return this.#found;
  }

  async #ask(): Promise<Configuration> {
    const openid = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    const isPlain = url.protocol === 'http:';
    const config = await openid.discovery(url, clientId, clientSecret, undefined, {
      timeout: ANSWER_WITHIN_SECONDS,
      execute: [
        openid.enableNonRepudiationChecks,
        ...(isPlain ? [openid.allowInsecureRequests] : []),
      ],
    });
    requireSafeEndpoints(config.serverMetadata(), isPlain);
    return config;
  }
}

/** Throws if secrets or keys would travel to or from another machine without TLS. */
function requireSafeEndpoints(
  metadata: ReturnType<Configuration['serverMetadata']>,
  isPlain: boolean,
): void {
  for (const name of USED_ENDPOINTS) {
    const value = metadata[name];
    if (value === undefined) continue;
    const { protocol, hostname } = new URL(value);
    const isSafe = protocol === 'https:' || (isPlain && protocol === 'http:' && isHere(hostname));
    if (!isSafe) throw new Error(`the OpenID provider names an unsafe address for ${name}`);
  }
}

const USED_ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

const isHere = (hostname: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

const withoutControls = (name: string): string => name.replaceAll(/\p{Cc}/gu, '');

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LIFETIME_MS } from '../../accounts/people/sign-ins.ts';

export type CookieKind = { name: string; sameSite: 'Strict' | 'Lax'; seconds: number };

const SIGN_IN: CookieKind = {
  name: 'troupe_console',
  sameSite: 'Strict',
  seconds: LIFETIME_MS / 1000,
};

/** A cookie that pages cannot read, for this host alone. Default: that of a signed-in browser. */
export class Cookie {
  /** Undefined: the address of each request. */
  readonly #publicUrl: string | undefined;
  readonly #kind: CookieKind;

  constructor(publicUrl: string | undefined, kind = SIGN_IN) {
    this.#publicUrl = publicUrl;
    this.#kind = kind;
  }

  read(request: FastifyRequest): string | null {
    const name = this.#nameFor(request);
    for (const part of (request.headers.cookie ?? '').split(';')) {
      const [key = '', value = ''] = part.trim().split('=', 2);
      if (key === name && value !== '') return value;
    }
    return null;
  }

  set(request: FastifyRequest, reply: FastifyReply, value: string): void {
    this.#write(request, reply, value, this.#kind.seconds);
  }

  clear(request: FastifyRequest, reply: FastifyReply): void {
    this.#write(request, reply, '', 0);
  }

  #write(request: FastifyRequest, reply: FastifyReply, value: string, seconds: number): void {
    const { sameSite } = this.#kind;
    const attributes = ['Path=/', `Max-Age=${seconds}`, 'HttpOnly', `SameSite=${sameSite}`];
    if (this.#isSecure(request)) attributes.push('Secure');
    // Fastify sends each of several.
    reply.header('set-cookie', [`${this.#nameFor(request)}=${value}`, ...attributes].join('; '));
    reply.header('cache-control', 'no-store');
  }

  /** Browsers take `__Host-` from this host alone, and over TLS alone. */
  #nameFor(request: FastifyRequest): string {
    const { name } = this.#kind;
    return this.#isSecure(request) ? `__Host-${name}` : name;
  }

  #isSecure({ protocol }: FastifyRequest): boolean {
    return protocol === 'https' || this.#publicUrl?.startsWith('https:') === true;
  }
}

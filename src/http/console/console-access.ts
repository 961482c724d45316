import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn, SignIns } from '../../accounts/people/sign-ins.ts';
import type { Actor } from '../../records/audit/audit-log.ts';
import { Fault } from '../../errors.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import { requireSameOrigin } from './same-origin.ts';
import { Cookie } from './cookie.ts';

type ConsoleAccessParts = {
  signIns: Pick<SignIns, 'find' | 'peek'>;
  /** Undefined: the address of each request. */
  publicUrl: string | undefined;
};

/** Callers that are signed in with a cookie. */
export class ConsoleAccess {
  readonly cookie: Cookie;
  readonly #parts: ConsoleAccessParts;

  constructor(parts: ConsoleAccessParts) {
    this.#parts = parts;
    this.cookie = new Cookie(parts.publicUrl);
  }

  /** Null without a valid cookie. Throws `forbidden` for a request that another site caused. */
  async find(request: FastifyRequest, reply: FastifyReply): Promise<SignedIn | null> {
    const token = this.cookie.read(request);
    if (token === null) return null;
    requireSameOrigin(request, this.#parts.publicUrl);
    const current = await this.#parts.signIns.find(token);
    if (!current) return null;
    const { newToken, ...signedIn } = current;
    if (newToken !== null) this.cookie.set(request, reply, newToken);
    return signedIn;
  }

  /** The person of the cookie, even if another site caused the request. */
  async peek(request: FastifyRequest): Promise<SignedIn | null> {
    const token = this.cookie.read(request);
    return token === null ? null : this.#parts.signIns.peek(token);
  }

  requireSameOrigin(request: FastifyRequest): void {
    requireSameOrigin(request, this.#parts.publicUrl);
  }
}

/** The signed-in caller. */
export async function requireSignIn(
  consoleAccess: ConsoleAccess,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignedIn> {
  reply.header('cache-control', 'no-store');
  const signedIn = await consoleAccess.find(request, reply);
  if (!signedIn) throw new Fault('sign_in_required');
  return signedIn;
}

export const actorOf = ({ id, name }: PersonRecord): Actor => ({ type: 'person', id, name });

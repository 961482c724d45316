import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn, SignIns } from '../../accounts/people/sign-ins.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import { withoutPort } from '#shared/network/networks.ts';
import type { Auditor } from '../audit/auditor.ts';
import { actorOf, type ConsoleAccess } from './console-access.ts';

export type BeginSignInParts = {
  access: ConsoleAccess;
  signIns: Pick<SignIns, 'begin'>;
  auditor: Auditor;
};

/** `find` returns the person who signs in, or null to change nothing. */
export async function beginSignIn(
  { access, signIns, auditor }: BeginSignInParts,
  request: FastifyRequest,
  reply: FastifyReply,
  find: (records: AuditedRecords) => Promise<PersonRecord | null>,
): Promise<SignedIn | null> {
  const { headers, ip } = request;
  const browser = { address: withoutPort(ip), userAgent: headers['user-agent'] ?? '' };
  const begun = await auditor.create(
    request,
    async (records) => {
      const person = await find(records);
      if (!person) return null;
      // The person who signs in is the actor of the changes.
      request.actor = actorOf(person);
      return signIns.begin(person, browser, records);
    },
    ({ signedIn: { person } }) => ({
      action: 'person.signed_in',
      targetId: person.id,
      accountId: person.accountId,
    }),
  );
  if (!begun) return null;
  access.cookie.set(request, reply, begun.token);
  return begun.signedIn;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignedIn } from '../../accounts/people/sign-ins.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import { withoutPort } from '#shared/network/networks.ts';
import { actorOf } from './console-access.ts';
import type { Services } from '../services.ts';

/** `find` returns the person who signs in, or null to change nothing. */
export async function beginSignIn(
  { consoleAccess, signIns, guesses, auditor }: Services,
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
  await guesses.remember(request, begun.signedIn.person);
  consoleAccess.cookie.set(request, reply, begun.token);
  return begun.signedIn;
}

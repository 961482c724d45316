import type { FastifyRequest } from 'fastify';
import { passwordTag, type SignedIn } from '../../accounts/people/sign-ins.ts';
import { actorOf } from './console-access.ts';
import { toPersonBody } from '../people/people-schemas.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

/** Changes the signed-in person. A new password ends the sign-ins of all other browsers. */
export async function changePerson(
  { people, auditor }: Services,
  request: FastifyRequest,
  signedIn: SignedIn,
  change: { name?: string; passwordHash?: string },
): Promise<SignedIn> {
  const { person, signIn } = signedIn;
  const { id, accountId } = person;
  request.actor = actorOf(person);
  const changed = await auditor.around(
    request,
    {
      action: 'person.updated',
      targetId: id,
      accountId,
      newSecrets: change.passwordHash === undefined ? [] : ['password'],
      async read(records) {
        const now = await records.people.find(id);
        return now && toPersonBody(now);
      },
    },
    async (records) => {
      const now = await people.change(id, change, records.people);
      if (!now || change.passwordHash === undefined) return now;
      await records.signIns.removeAll(id, signIn.id);
      await records.signIns.setPasswordTag(signIn.id, passwordTag(now));
      return now;
    },
  );
  return { ...signedIn, person: found(changed) };
}

import type { FastifyRequest } from 'fastify';
import type { People } from '../../accounts/people/people.ts';
import { passwordTag, type SignedIn } from '../../accounts/people/sign-ins.ts';
import type { Auditor } from '../audit/auditor.ts';
import { actorOf } from './console-access.ts';
import { toPersonBody } from '../people/people-schemas.ts';
import { found } from '../resource/resource-routes.ts';

type ChangePersonParts = { people: Pick<People, 'change'>; auditor: Auditor };

/** Changes the signed-in person. A new password ends the sign-ins of all other browsers. */
export async function changePerson(
  { people, auditor }: ChangePersonParts,
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

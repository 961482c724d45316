/* Changes of people by others: of an account's people, and of administrators. */
import type { FastifyRequest } from 'fastify';
import type { State } from '../../records/audit/audit-log.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { PersonRecord, Role } from '../../records/people/people.ts';
import type { MemberId } from '../../accounts/people/people.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

/** `target`: as the audit log calls them. */
export function memberChanges<Body extends State>(
  { people, auditor }: Services,
  target: 'admin' | 'person',
  toBody: (person: PersonRecord) => Body,
) {
  const entry = ({ group, id }: MemberId) => ({
    targetId: id,
    async read(records: AuditedRecords) {
      const person = await records.people.findMember(group, id);
      return person && toBody(person);
    },
  });
  return {
    /** Throws `not_found` if the group has no such person. */
    async change(
      request: FastifyRequest,
      member: MemberId,
      change: { name?: string; passwordHash?: string; role?: Role },
    ): Promise<Body> {
      const newSecrets = change.passwordHash === undefined ? [] : ['password'];
      const changed = await auditor.around(
        request,
        { action: `${target}.updated`, ...entry(member), newSecrets },
        (records) => people.changeMember(member, change, records),
      );
      return toBody(found(changed));
    },

    /** False if the group has no such person. */
    remove: (request: FastifyRequest, member: MemberId): Promise<boolean> =>
      auditor.around(request, { action: `${target}.deleted`, ...entry(member) }, (records) =>
        people.removeMember(member, records),
      ),
  };
}

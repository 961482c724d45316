/*
 * Finds one-time links that are still valid. A link gives rights of its maker, and replaces
 * a password. So it ends when its key is revoked, when its maker is removed or gets a smaller role,
 * and when the password is replaced. Each use checks this, on every control plane.
 */
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import type { PersonLinkRecord } from '../../records/people/person-links.ts';
import { areWithin, permits } from '../key-scopes.ts';
import { hashOfCode } from './person-links.ts';
import { scopesOf } from './roles.ts';
import { passwordTag } from './sign-ins.ts';

export type LinkReading = {
  apiKeys: Pick<AuditedRecords['apiKeys'], 'findLive'>;
  people: Pick<AuditedRecords['people'], 'find'>;
  personLinks: Pick<AuditedRecords['personLinks'], 'findByHash'>;
};
type LinkUse = LinkReading & { personLinks: Pick<AuditedRecords['personLinks'], 'use'> };

/** Null for a used, expired, ended or unknown code. */
export async function findLink(
  code: string,
  records: LinkReading,
  now: number,
): Promise<PersonLinkRecord | null> {
  const link = await records.personLinks.findByHash(hashOfCode(code), now);
  return link && (await isBacked(link, records, now)) ? link : null;
}

/** As `findLink`. Null also if another request was first. */
export async function useLink(
  code: string,
  records: LinkUse,
  now: number,
): Promise<PersonLinkRecord | null> {
  const link = await findLink(code, records, now);
  return link && records.personLinks.use(hashOfCode(code), now);
}

async function isBacked(
  { accountId, personId, grants }: PersonLinkRecord,
  records: LinkReading,
  now: number,
): Promise<boolean> {
  const person = personId === null ? null : await records.people.find(personId);
  const { passwordTag: tag } = grants;
  if (tag !== undefined && (!person || passwordTag(person) !== tag)) return false;
  if (!grants.maker) return true;
  const maker = await rightsOf(grants.maker, records, now);
  if (!maker) return false;
  if (maker.isOperator) return true;
  // A person may have got more rights since the link was made.
  const { role, isOperator } = person ? rightsIn(person) : grants;
  return (
    maker.accountId === accountId &&
    permits(maker.scopes, 'people', 'write') &&
    !isOperator &&
    (role === null || areWithin(scopesOf(role), maker.scopes))
  );
}

const rightsIn = ({ role, operatorSince }: PersonRecord) => ({
  role,
  isOperator: operatorSince !== null,
});

type MakerRights = { accountId: string | null; scopes: string[] | null; isOperator: boolean };

/** Null for a removed person, and for a revoked or expired key. */
async function rightsOf(
  { type, id }: NonNullable<PersonLinkRecord['grants']['maker']>,
  { apiKeys, people }: LinkReading,
  now: number,
): Promise<MakerRights | null> {
  if (type === 'person') {
    const person = await people.find(id);
    if (!person) return null;
    const { accountId, role } = person;
    return { ...rightsIn(person), accountId, scopes: role === null ? [] : scopesOf(role) };
  }
  const live = await apiKeys.findLive(id);
  if (!live || (live.key.expiresAt !== null && live.key.expiresAt <= now)) return null;
  return { accountId: live.account.id, scopes: live.key.scopes, isOperator: false };
}

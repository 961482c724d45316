/*
 * Finds the person of an OpenID identity. The identity is bound by issuer and subject, and by
 * nothing that others choose: a name that looks like an e-mail address proves nothing. A first
 * sign-in needs a one-time link that the person opened before they signed in at the provider, or a
 * verified address in a domain that an operator has given to an account.
 */
import { domainToASCII } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { PersonRecord, PersonRecords } from '../../records/people/people.ts';
import type { PersonLinkRecord } from '../../records/people/person-links.ts';
import type { Identity } from './openid.ts';
import { invitedPerson, type People } from './people.ts';
import { FIRST_OWNER } from './person-links.ts';
import { useLink } from './usable-links.ts';

type Records = Pick<
  AuditedRecords,
  'accountDomains' | 'accounts' | 'apiKeys' | 'people' | 'personLinks' | 'signIns'
>;

type NewPerson = Omit<Parameters<PersonRecords['add']>[0], 'name' | 'openidSubject'>;

type IdentitiesParts = { people: Pick<People, 'firstOwner'>; clock: Pick<Clock, 'now'> };

export class Identities {
  readonly #parts: IdentitiesParts;

  constructor(parts: IdentitiesParts) {
    this.#parts = parts;
  }

  /**
   * The person of the identity, bound or created. Null if nobody invited them. Throws for a link
   * that does not fit. `code`: the code of the opened link. `records`: those of a transaction.
   */
  async personOf(
    identity: Identity,
    code: string | null,
    records: Records,
  ): Promise<PersonRecord | null> {
    const person = await records.people.findBySubject(identity.subject);
    if (code === null) return person ?? this.#joinByDomain(identity, records);
    const link = await useLink(code, records, this.#parts.clock.now());
    if (!link) return null;
    if (person && person.id !== link.personId) throw await knownAs(person, records);
    if (link.personId === null) return this.#join(link, identity, records);
    return this.#bind(link.personId, identity, records);
  }

  #join(link: PersonLinkRecord, identity: Identity, records: Records): Promise<PersonRecord> {
    const newPerson = invitedPerson(link, this.#parts.clock.now());
    return add(newPerson, link.grants.name ?? identity.name, identity, records.people);
  }

  async #joinByDomain(identity: Identity, records: Records): Promise<PersonRecord | null> {
    const domain = domainOf(identity.email ?? '');
    const accountDomain = domain === null ? null : await records.accountDomains.find(domain);
    if (!accountDomain) return null;
    const { accountId, role } = accountDomain;
    const createdAt = this.#parts.clock.now();
    const newPerson = { accountId, role, operatorSince: null, createdAt };
    return add(newPerson, identity.name, identity, records.people);
  }

  /** Ends the password: others may know it, and it must not open what the provider guards. */
  async #bind(personId: string, { subject }: Identity, records: Records): Promise<PersonRecord> {
    if (personId === FIRST_OWNER.id) await this.#parts.people.firstOwner(records);
    const change = { openidSubject: subject, passwordHash: null };
    const isAdmin = (await records.people.find(personId))?.isAdmin;
    if (isAdmin) throw new Fault('forbidden', { detail: 'Administrators sign in by a password.' });
    await records.signIns.removeAll(personId);
    const boundPerson = await records.people.change(personId, change);
    if (boundPerson === null || boundPerson === 'taken') throw new Fault('not_found');
    return boundPerson;
  }
}

/** The name is not the person's choice, so a name in use gets a number instead of a refusal. */
async function add(
  person: NewPerson,
  name: string,
  { subject }: Identity,
  people: PersonRecords,
): Promise<PersonRecord> {
  const names = [name, ...Array.from({ length: MAX_NAMESAKES }, (_, i) => `${name} ${i + 2}`)];
  for (const each of names) {
    const newcomer = await people.add({ ...person, name: each, openidSubject: subject });
    if (newcomer) return newcomer;
  }
  throw new Fault('conflict', { detail: 'Too many people in the account have this name.' });
}

const MAX_NAMESAKES = 20;

/** The names are those of the signed-in person, who may know them. */
async function knownAs(
  { accountId, name }: PersonRecord,
  { accounts }: Pick<Records, 'accounts'>,
): Promise<Fault> {
  const account = accountId === null ? null : await accounts.find(accountId);
  const where = account ? `in the account ${account.name}` : 'as an operator';
  return new Fault('conflict', {
    detail: `You sign in as ${name} already, ${where}. Accept this invitation with a name and a password, or ask to be removed there first.`,
  });
}

/** In lower case and ASCII. Null for an address without a domain. */
function domainOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  return (at > 0 && domainToASCII(email.slice(at + 1).toLowerCase())) || null;
}

/* People who use the console, with a role in one account, or as operators of the installation. */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../../errors.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type {
  PersonGroup,
  PersonRecord,
  PersonRecords,
  Role,
} from '../../records/people/people.ts';
import type { PersonLinkRecord } from '../../records/people/person-links.ts';
import type { Passwords } from './passwords.ts';
import { FIRST_OWNER } from './person-links.ts';
import { findLink, useLink, type LinkReading } from './usable-links.ts';

type PeopleParts = Omit<LinkReading, 'people'> & {
  people: Pick<PersonRecords, 'find' | 'named' | 'hasSecured'>;
  passwords: Passwords;
  clock: Pick<Clock, 'now'>;
};

/** The records within a transaction. */
type Records = Pick<AuditedRecords, 'accounts' | 'apiKeys' | 'people' | 'personLinks' | 'signIns'>;

type PersonChange = { name?: string; passwordHash?: string; role?: Role };
export type MemberId = { group: PersonGroup; id: string };

export class People {
  readonly #parts: PeopleParts;

  constructor(parts: PeopleParts) {
    this.#parts = parts;
  }

  /**
   * Takes a tenth of a second, so hash before a transaction. `name`: of the person with the
   * password. Namesakes in other accounts share a salt: else the time of a sign-in would tell how
   * many there are. `person`: has a hash already; the new one differs, so that it ends sign-ins.
   */
  async hash(password: string, name: string, person?: PersonRecord): Promise<string> {
    const { people, passwords } = this.#parts;
    const namesakes = await people.named(name);
    const namesake = namesakes.find(
      ({ id, passwordHash }) => id !== person?.id && passwordHash !== null,
    );
    const hash = await passwords.hash(password, namesake?.passwordHash);
    return hash === person?.passwordHash ? passwords.hash(password) : hash;
  }

  /** Whether anyone can prove who they are. Until then, only the machine itself is trusted. */
  hasSecured(): Promise<boolean> {
    return this.#parts.people.hasSecured();
  }

  /** Those whose password it is. Takes as long for none. */
  async withPassword(people: readonly PersonRecord[], password: string): Promise<PersonRecord[]> {
    const hashes = people.flatMap(({ passwordHash }) => passwordHash ?? []);
    const matches = await this.#parts.passwords.matching(password, hashes);
    return people.filter(({ passwordHash }) => passwordHash !== null && matches.has(passwordHash));
  }

  /** Throws `conflict` if the name is taken. `records`: of a transaction. */
  async addAdmin(
    name: string,
    passwordHash: string,
    records: PersonRecords,
  ): Promise<PersonRecord> {
    const createdAt = this.#parts.clock.now();
    const admin = await records.add({
      accountId: null,
      role: null,
      operatorSince: createdAt,
      isAdmin: true,
      name,
      passwordHash,
      createdAt,
    });
    if (!admin) throw nameTaken();
    return admin;
  }

  /** The owner of the first account, created on first use. `records`: of a transaction. */
  async firstOwner({
    accounts,
    people,
  }: Pick<Records, 'accounts' | 'people'>): Promise<PersonRecord> {
    const firstOwner = await people.find(FIRST_OWNER.id);
    if (firstOwner) return firstOwner;
    const createdAt = this.#parts.clock.now();
    const { id: accountId } = await accounts.first(createdAt);
    const { id, role, name } = FIRST_OWNER;
    const owner = { id, accountId, role, operatorSince: createdAt, createdAt };
    const person =
      (await people.add({ ...owner, name })) ??
      // Someone else in the account is called so.
      (await people.add({ ...owner, name: `${name} ${createdAt}` })) ??
      (await people.find(id));
    if (!person) throw new Error('the first owner was not created');
    return person;
  }

  /** Null for a used, expired, ended or unknown code. */
  findLink(code: string): Promise<PersonLinkRecord | null> {
    return findLink(code, this.#parts, this.#parts.clock.now());
  }

  /** Uses a sign-in link. Returns its person, or null for an invitation or an unusable link. */
  async useSignInLink(code: string, records: Records): Promise<PersonRecord | null> {
    const link = await useLink(code, records, this.#parts.clock.now());
    if (!link?.personId) return null;
    if (link.personId === FIRST_OWNER.id) return this.firstOwner(records);
    return records.people.find(link.personId);
  }

  /** Makes the invited person. Null as `findLink`. Throws `conflict` if the name is taken. */
  async acceptInvitation(
    { code, name, passwordHash }: { code: string; name: string; passwordHash: string },
    records: Records,
  ): Promise<PersonRecord | null> {
    const now = this.#parts.clock.now();
    const link = await useLink(code, records, now);
    if (!link || link.personId !== null) return null;
    const person = await records.people.add({ ...invitedPerson(link, now), name, passwordHash });
    if (!person) throw nameTaken();
    return person;
  }

  /** Throws `conflict` if the name is taken. Null if the person was removed. */
  async change(
    id: string,
    change: PersonChange,
    records: PersonRecords,
  ): Promise<PersonRecord | null> {
    const changed = await records.change(id, change);
    if (changed === 'taken') throw nameTaken();
    return changed;
  }

  /**
   * Throws `conflict` for a name that is taken, and for the last owner. Null if the group has no
   * such person.
   */
  async changeMember(
    { group, id }: MemberId,
    change: PersonChange,
    records: Records,
  ): Promise<PersonRecord | null> {
    const person = await records.people.findMember(group, id);
    if (!person) return null;
    if (change.role !== undefined && change.role !== 'owner') {
      await this.#keepAnOwner(person, records);
    }
    return this.change(id, change, records.people);
  }

  /** Ends all sign-ins of the person. Throws `conflict` for the last owner. */
  async removeMember({ group, id }: MemberId, records: Records): Promise<boolean> {
    const person = await records.people.findMember(group, id);
    if (!person) return false;
    await this.#keepAnOwner(person, records);
    await records.signIns.removeAll(id);
    return records.people.remove(id);
  }

  async #keepAnOwner({ id, accountId }: PersonRecord, { people }: Records): Promise<void> {
    const owners = accountId === null ? [] : await people.owners(accountId);
    if (owners.length > 1 || !owners.includes(id)) return;
    const detail = 'The account needs an owner. Make someone else an owner first.';
    throw new Fault('conflict', { detail });
  }
}

/** The person that an invitation creates, without the name. */
export const invitedPerson = ({ accountId, grants }: PersonLinkRecord, now: number) => ({
  accountId,
  role: grants.role,
  operatorSince: grants.isOperator ? now : null,
  createdAt: now,
});

const nameTaken = (): Fault =>
  new Fault('conflict', {
    detail: 'Someone else has this name.',
    advice: 'Choose another name.',
  });

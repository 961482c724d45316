/* One-time links to the console: invitations, and links that sign a person in. */
import { hash as digest } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import type { AccountRecords } from '../../records/accounts/accounts.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import type {
  Grants,
  LinkMaker,
  PersonLinkRecord,
  PersonLinkRecords,
} from '../../records/people/person-links.ts';
import { passwordTag } from './sign-ins.ts';

/** Used and expired ones stay this long. */
const KEPT_MS = 30 * 86_400_000;

type MadeLink = PersonLinkRecord & { code: string };

type Invitation = {
  accountId: string | null;
  grants: Grants;
  maker: LinkMaker | null;
  validMs: number;
};

type PersonLinksParts = {
  accounts: Pick<AccountRecords, 'first'>;
  clock: Pick<Clock, 'now'>;
};

export class PersonLinks {
  readonly #parts: PersonLinksParts;

  constructor(parts: PersonLinksParts) {
    this.#parts = parts;
  }

  /** `records`: of a transaction, as everywhere below. */
  invite(
    { accountId, grants: { role, isOperator, name }, maker, validMs }: Invitation,
    records: PersonLinkRecords,
  ): Promise<MadeLink> {
    const grants = { role, isOperator, name, maker };
    return this.#make({ accountId, personId: null, grants }, validMs, records);
  }

  /** `maker`: null on the machine of the service. */
  signIn(
    person: PersonRecord,
    { maker, validMs }: Pick<Invitation, 'maker' | 'validMs'>,
    records: PersonLinkRecords,
  ): Promise<MadeLink> {
    const { id, accountId, role, operatorSince, name } = person;
    const isOperator = operatorSince !== null;
    const grants = { role, isOperator, name, maker, passwordTag: passwordTag(person) };
    return this.#make({ accountId, personId: id, grants }, validMs, records);
  }

  /** Signs in the first owner, who need not exist yet. */
  async firstOwner(validMs: number, records: PersonLinkRecords): Promise<MadeLink> {
    const { id } = await this.#parts.accounts.first(this.#parts.clock.now());
    const { id: personId, role, isOperator, name } = FIRST_OWNER;
    const grants = { role, isOperator, name };
    return this.#make({ accountId: id, personId, grants }, validMs, records);
  }

  async #make(
    link: Pick<PersonLinkRecord, 'accountId' | 'personId' | 'grants'>,
    validMs: number,
    records: PersonLinkRecords,
  ): Promise<MadeLink> {
    const now = this.#parts.clock.now();
    await records.removeExpired(now - KEPT_MS);
    const code = newSecret();
    const madeLink = await records.add({
      ...link,
      hash: hashOfCode(code),
      createdAt: now,
      expiresAt: now + validMs,
    });
    return { ...madeLink, code };
  }
}

/** Fixed, so that two processes creating it create one person. */
export const FIRST_OWNER = {
  id: '00000000-0000-4000-8000-000000000002',
  role: 'owner',
  isOperator: true,
  name: 'owner',
} as const;

export const hashOfCode = (code: string): string => digest('sha256', code);

/* One-time links to the console: invitations, and links that sign a person in. */
import { hash as digest } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import type { AccountRecords } from '../../records/accounts/accounts.ts';
import type { PersonRecord } from '../../records/people/people.ts';
import type {
  Grants,
  PersonLinkRecord,
  PersonLinkRecords,
} from '../../records/people/person-links.ts';

/** Used and expired ones stay this long. */
const KEPT_MS = 30 * 86_400_000;

type MadeLink = PersonLinkRecord & { code: string };

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
    { accountId, grants, validMs }: { accountId: string | null; grants: Grants; validMs: number },
    records: PersonLinkRecords,
  ): Promise<MadeLink> {
    return this.#make({ accountId, personId: null, grants }, validMs, records);
  }

  signIn(
    { id, accountId, role, operatorSince, name }: PersonRecord,
    validMs: number,
    records: PersonLinkRecords,
  ): Promise<MadeLink> {
    const grants = { role, isOperator: operatorSince !== null, name };
    return this.#make({ accountId, personId: id, grants }, validMs, records);
  }

  /** Signs in the first owner, who need not exist yet. */
  async firstOwner(validMs: number, records: PersonLinkRecords): Promise<MadeLink> {
    const { id } = await this.#parts.accounts.first(this.#parts.clock.now());
    return this.#make(
      { accountId: id, personId: FIRST_OWNER.id, grants: FIRST_OWNER },
      validMs,
      records,
    );
  }

  async #make(
    link: { accountId: string | null; personId: string | null; grants: Grants },
    validMs: number,
    records: PersonLinkRecords,
  ): Promise<MadeLink> {
    const now = this.#parts.clock.now();
    await records.removeExpired(now - KEPT_MS);
    const code = newSecret();
    const { accountId, personId } = link;
    const { role, isOperator, name } = link.grants;
    const madeLink = await records.add({
      accountId,
      personId,
      grants: { role, isOperator, name },
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

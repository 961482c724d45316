/*
 * Writes links to the console directly to the records of this machine, for people who cannot sign
 * in.
 */
import { randomBytes } from 'node:crypto';
import { systemClock } from '#shared/clock.ts';
import { PersonLinks } from '../../accounts/people/person-links.ts';
import { OperatorError } from '#shared/process/operator-error.ts';
import type { Config } from '../../config.ts';
import { accountRecords } from '../../records/accounts/accounts.ts';
import { addCommandEntry } from '../../records/audit/command-entries.ts';
import { Lists } from '../../records/engine/pages.ts';
import { personRecords, type PersonRecord } from '../../records/people/people.ts';
import { personLinkRecords } from '../../records/people/person-links.ts';
import { inTransaction } from './local-keys.ts';

const VALID_MS = 900_000;

type LinkRequest = {
  /** Undefined: the first owner, who need not exist yet. */
  person: string | undefined;
  /** Where several accounts have a person of that name. `none`: the person without an account. */
  accountId: string | undefined;
  /** Its name in the audit log. */
  command: string;
};

/**
 * The code of a link that works once. Null if there is no such person. Throws if there are several.
 */
export const createLocalLink = (
  settings: Config,
  { person, accountId, command }: LinkRequest,
): Promise<string | null> =>
  inTransaction(settings, async (trx) => {
    // No list is read, so no cursor needs a lasting secret.
    const lists = new Lists(randomBytes(32));
    const records = personLinkRecords(trx, lists);
    const links = new PersonLinks({ accounts: accountRecords(trx), clock: systemClock });
    const people = person === undefined ? [] : await personRecords(trx, lists).named(person);
    const matches = people.filter(
      (each) => accountId === undefined || accountOf(each) === accountId,
    );
    if (matches.length > 1) throw new OperatorError(severalAccounts(matches));
    const personRecord = matches[0] ?? null;
    if (person !== undefined && !personRecord) return null;
    const link = personRecord
      ? await links.signIn(personRecord, { maker: null, validMs: VALID_MS }, records)
      : await links.firstOwner(VALID_MS, records);
    await addCommandEntry(trx, {
      command,
      action: 'person.link_created',
      targetId: link.personId ?? link.id,
      accountId: link.accountId,
      createdAt: link.createdAt,
    });
    return link.code;
  });

const accountOf = ({ accountId }: PersonRecord): string => accountId ?? 'none';

const severalAccounts = (people: PersonRecord[]): string =>
  `Several accounts have a person of that name. Add one of ${people
    .map((person) => `--account ${accountOf(person)}`)
    .join(', ')}`;

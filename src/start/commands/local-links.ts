/*
 * Writes links to the console directly to the records of this machine, for people who cannot sign
 * in.
 */
import { randomBytes } from 'node:crypto';
import { systemClock } from '#shared/clock.ts';
import { PersonLinks } from '../../accounts/people/person-links.ts';
import type { Config } from '../../config.ts';
import { accountRecords } from '../../records/accounts/accounts.ts';
import { addCommandEntry } from '../../records/audit/command-entries.ts';
import { Lists } from '../../records/engine/pages.ts';
import { personRecords } from '../../records/people/people.ts';
import { personLinkRecords } from '../../records/people/person-links.ts';
import { inTransaction } from './local-keys.ts';

const VALID_MS = 900_000;

type LinkRequest = {
  /** Undefined: the first owner, who need not exist yet. */
  person: string | undefined;
  /** Its name in the audit log. */
  command: string;
};

/** The code of a link that works once. Null if there is no such person. */
export const createLocalLink = (
  settings: Config,
  { person, command }: LinkRequest,
): Promise<string | null> =>
  inTransaction(settings, async (trx) => {
    // No list is read, so no cursor needs a lasting secret.
    const lists = new Lists(randomBytes(32));
    const records = personLinkRecords(trx, lists);
    const links = new PersonLinks({ accounts: accountRecords(trx), clock: systemClock });
    const personRecord =
      person === undefined ? null : await personRecords(trx, lists).findByName(person);
    if (person !== undefined && !personRecord) return null;
    const link = personRecord
      ? await links.signIn(personRecord, VALID_MS, records)
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

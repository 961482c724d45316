import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Records } from '../records/open-records.ts';
import { toAccount } from './account.ts';
import { AdminSignIns } from './people/admin-sign-ins.ts';
import type { PasswordCost } from './people/password-hash.ts';
import { KeyUse } from './key-use.ts';
import { apiKeys } from './keys.ts';
import { Identities } from './people/identities.ts';
import { Openid, type OpenidSettings } from './people/openid.ts';
import { Passwords } from './people/passwords.ts';
import { People } from './people/people.ts';
import { PersonLinks } from './people/person-links.ts';
import { SignIns } from './people/sign-ins.ts';
import { accountUsage } from './usage.ts';
import { WorkerTokens } from './worker-tokens.ts';

/** Messages between control planes. */
export type AccountNotices = {
  token_revoked: { tokenId: string };
  /** A key or its account changed. */
  keys_changed: object;
};

type AccountsOptions = {
  records: Pick<
    Records,
    | 'accounts'
    | 'apiKeys'
    | 'people'
    | 'personLinks'
    | 'signIns'
    | 'signingSecret'
    | 'usage'
    | 'workerTokens'
  >;
  /** Null: this control plane is the only one. */
  bus: {
    publish<Type extends keyof AccountNotices>(
      node: null,
      type: Type,
      notice: AccountNotices[Type],
    ): Promise<void>;
    onNotice<Type extends keyof AccountNotices>(
      type: Type,
      listener: (notice: AccountNotices[Type]) => void,
    ): void;
  } | null;
  /** First key of the first account; generated if undefined. */
  apiKey: string | undefined;
  /** Shared secret of the workers. */
  workerToken: string;
  passwordCost: PasswordCost | undefined;
  /** Null: people sign in with passwords only. */
  openid: OpenidSettings | null;
  clock: Clock;
  log: Log;
};

/** The code of the link that each start prints until a person has a password. */
const START_LINK_VALID_MS = 86_400_000;

export async function openAccounts(options: AccountsOptions) {
  const { records, bus, apiKey, workerToken, passwordCost, openid, clock, log } = options;
  const publishChanged = () =>
    void bus
      ?.publish(null, 'keys_changed', {})
      .catch((err: unknown) => log.error({ err }, 'changed keys not published'));
  const { accounts, apiKeys: keyRecords } = records;
  const keys = apiKeys({ accounts, keys: keyRecords, clock, publishChanged });
  bus?.onNotice('keys_changed', () => keys.changedElsewhere());
  const keyUse = new KeyUse({ keys: records.apiKeys, clock, log });
  const isNewInstallation = await accounts.makeFirst(clock.now());
  const { account: firstAccount, newKey } = await keys.first(apiKey);

  const passwords = new Passwords(passwordCost);
  const people = new People({ ...records, passwords, clock });
  const personLinks = new PersonLinks({ accounts, clock });

  const publishRevoked = (tokenId: string) =>
    void bus
      ?.publish(null, 'token_revoked', { tokenId })
      .catch((err: unknown) => log.error({ err }, 'revoked worker token not published'));
  const workerTokens = new WorkerTokens({
    configuredToken: workerToken,
    records: records.workerTokens,
    clock,
    log,
    publishRevoked,
  });
  bus?.onNotice('token_revoked', ({ tokenId }) => workerTokens.notifyRevoked(tokenId));

  return {
    keys,
    keyUse,
    workerTokens,
    adminSignIns: new AdminSignIns({ ...records, clock }),
    people,
    identities: new Identities({ people, clock }),
    personLinks,
    openid: openid && new Openid(openid),
    signIns: new SignIns({ ...records, clock }),
    async newConsoleCode(): Promise<string | null> {
      if (await people.hasSecured()) return null;
      const link = await personLinks.firstOwner(START_LINK_VALID_MS, records.personLinks);
      return link.code;
    },
    usage: accountUsage(records.usage, clock),
    firstAccount,
    /** This start has created the first account. */
    isNewInstallation,
    /** The generated first key, to be shown once; else null. */
    newKey,
    /** The account that our own pages act for. */
    pageAccount: async () => toAccount(await records.accounts.first(clock.now())),
    async close() {
      await keyUse.close();
      await workerTokens.close();
    },
  };
}

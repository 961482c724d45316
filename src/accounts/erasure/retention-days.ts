import type { RetentionDays } from '../../records/engine/tables/account-columns.ts';
import { RETENTION_KINDS, type RetentionKind } from '../../records/erasure/retention.ts';

export const MAX_DAYS = 36_500;

/** Webhook events are useless when their receivers have long stopped asking for them. */
const DEFAULT_DAYS: RetentionDays = { deliveries: 30 };

/**
 * Reads RETENTION_DAYS: `90`, which holds for every kind, or `sessions=365,transcripts=30`. Kinds
 * without days are kept. Throws for anything else.
 */
export function parseRetentionDays(text = ''): RetentionDays {
  const days: RetentionDays = { ...DEFAULT_DAYS };
  const entries = text.split(',').map((each) => each.trim());
  for (const entry of entries.filter(Boolean)) {
    const [, name, digits = ''] = /^(?:([a-z]+)\s*=\s*)?(\d{1,5})$/.exec(entry) ?? [];
    const count = Number(digits);
    const kinds = RETENTION_KINDS.filter((kind) => name === undefined || kind === name);
    if (digits === '' || count < 1 || count > MAX_DAYS || kinds.length === 0) {
      const advice = `write days (90), or kinds with days (sessions=365,transcripts=30); the kinds are ${RETENTION_KINDS.join(', ')}`;
      throw new Error(`Configuration: RETENTION_DAYS holds ${entry}: ${advice}`);
    }
    for (const kind of kinds) days[kind] = count;
  }
  return days;
}

/** The shorter one: an account may keep its data shorter than the installation, never longer. */
export function daysOf(
  kind: RetentionKind,
  installation: RetentionDays,
  account: RetentionDays | null,
): number | null {
  const limits = [installation[kind], account?.[kind]].filter((days) => days !== undefined);
  return limits.length === 0 ? null : Math.min(...limits);
}

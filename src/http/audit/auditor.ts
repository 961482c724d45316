/*
 * Records changes in the audit log: after the change and before its answer, so that a client never
 * gets a success that the log does not hold.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { withoutPort } from '#shared/networks.ts';
import type { AuditAction } from '../../accounts/audit-actions.ts';
import { statesOf } from '../../accounts/audit-states.ts';
import type { Actor, AuditEntry, AuditLog, State } from '../../records/audit/audit-log.ts';
import type { Transaction } from '../../records/engine/database.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set with the caller; null on routes that need none. */
    actor: Actor | null;
  }
}

type Change = {
  action: AuditAction;
  targetId: string | null;
  /** Default: the caller's account. Null: a change of the installation. */
  accountId?: string | null;
  /** Public fields, without secrets. */
  before?: State | null;
  after?: State | null;
};

type Auditing = Pick<Change, 'action' | 'accountId'> & {
  targetId: string;
  /** Names of secret fields that get a new value, which the log does not hold. */
  newSecrets?: string[];
  /** Public fields of the resource; null if there is none. */
  read: () => Promise<State | null>;
};

/** Call once, before the hooks that set the caller. */
export function decorateActor(app: FastifyInstance): void {
  app.decorateRequest('actor', null);
}

export class Auditor {
  readonly #log: Pick<AuditLog, 'add'>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor({ auditLog, clock }: { auditLog: Pick<AuditLog, 'add'>; clock: Pick<Clock, 'now'> }) {
    this.#log = auditLog;
    this.#clock = clock;
  }

  /** `trx`: the transaction of the change, if a client cannot repeat it. */
  async record(request: FastifyRequest, change: Change, trx?: Transaction): Promise<AuditEntry> {
    const { actor, ip, account } = request;
    if (!actor) throw new Error(`${change.action} without a caller`);
    const { action, targetId, accountId = account?.id ?? null } = change;
    const { before, after } = statesOf(change.before ?? null, change.after ?? null);
    const entry = { accountId, actor, address: withoutPort(ip), action, targetId, before, after };
    return this.#log.add({ ...entry, createdAt: this.#clock.now() }, trx);
  }

  /**
   * Runs the change and records the states around it, unless it changed nothing or returns false:
   * not found.
   */
  async around<Result>(
    request: FastifyRequest,
    { read, newSecrets = [], ...change }: Auditing,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const before = withSecrets(await read(), newSecrets, '[hidden]');
    const result = await run();
    if (result === false) return result;
    const after = withSecrets(await read(), newSecrets, '[new]');
    await this.recordDifference(request, { ...change, before, after });
    return result;
  }

  /** For routes that already have both states. */
  async recordDifference(
    request: FastifyRequest,
    change: Change & Required<Pick<Change, 'before' | 'after'>>,
  ): Promise<void> {
    if (!isSame(change.before, change.after)) await this.record(request, change);
  }
}

const withSecrets = (state: State | null, names: string[], value: string): State | null =>
  state && { ...state, ...Object.fromEntries(names.map((name) => [name, value])) };

const isSame = (before: State | null, after: State | null): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

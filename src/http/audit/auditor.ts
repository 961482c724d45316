/*
 * Records changes in the audit log, each in the transaction of its change: neither is kept without
 * the other.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '#shared/clock.ts';
import { withoutPort } from '#shared/network/networks.ts';
import type { AuditAction } from '../../accounts/audit-actions.ts';
import { statesOf } from '../../accounts/audit-states.ts';
import type { Actor, AuditEntry, AuditLog, EndedBy, State } from '../../records/audit/audit-log.ts';
import type { AuditedRecords, TransactAudited } from '../../records/audited-records.ts';
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
  read: (records: AuditedRecords) => Promise<State | null>;
};

type AuditorParts = {
  auditLog: Pick<AuditLog, 'add'>;
  transactAudited: TransactAudited;
  clock: Pick<Clock, 'now'>;
};

/** Call once, before the hooks that set the caller. */
export function decorateActor(app: FastifyInstance): void {
  app.decorateRequest('actor', null);
}

export class Auditor {
  readonly #parts: AuditorParts;

  constructor(parts: AuditorParts) {
    this.#parts = parts;
  }

  /**
   * `trx`: the transaction of the change. Without one, call it before the change, which the
   * database does not hold.
   */
  record(request: FastifyRequest, change: Change, trx?: Transaction): Promise<AuditEntry> {
    return this.#add(this.#parts.auditLog, request, change, trx);
  }

  /** Runs the change and records it, unless there was nothing to change. */
  change<Result>(
    request: FastifyRequest,
    change: Change,
    run: (records: AuditedRecords) => Promise<Result>,
  ): Promise<Result> {
    return this.#parts.transactAudited(async (records) => {
      const result = await run(records);
      if (!isNothing(result)) await this.#add(records.auditLog, request, change);
      return result;
    });
  }

  /** As `change`, for an entry about what `run` returns. */
  create<Made>(
    request: FastifyRequest,
    run: (records: AuditedRecords) => Promise<Made>,
    describe: (record: Made & {}) => Change,
  ): Promise<Made> {
    return this.#parts.transactAudited(async (records) => {
      const result = await run(records);
      if (result) await this.#add(records.auditLog, request, describe(result));
      return result;
    });
  }

  /** As `change`, with the states around it. Records nothing if they are the same. */
  around<Result>(
    request: FastifyRequest,
    { read, newSecrets = [], ...change }: Auditing,
    run: (records: AuditedRecords) => Promise<Result>,
  ): Promise<Result> {
    return this.#parts.transactAudited(async (records) => {
      const stateBefore = withSecrets(await read(records), newSecrets, '[hidden]');
      const result = await run(records);
      if (isNothing(result)) return result;
      const stateAfter = withSecrets(await read(records), newSecrets, '[new]');
      if (!isSame(stateBefore, stateAfter)) {
        await this.#add(records.auditLog, request, {
          ...change,
          before: stateBefore,
          after: stateAfter,
        });
      }
      return result;
    });
  }

  async #add(
    log: Pick<AuditLog, 'add'>,
    request: FastifyRequest,
    change: Change,
    trx?: Transaction,
  ): Promise<AuditEntry> {
    const { account } = request;
    const { action, targetId, accountId = account?.id ?? null } = change;
    const { before, after } = statesOf(change.before ?? null, change.after ?? null);
    const entry = { accountId, ...callerOf(request), action, targetId, before, after };
    return log.add({ ...entry, createdAt: this.#parts.clock.now() }, trx);
  }
}

/** For the end of a session or call: the control plane that owns it writes the entry. */
export const endedBy = (
  request: FastifyRequest,
  action: EndedBy['action'],
  targetId: string,
): EndedBy => ({ ...callerOf(request), action, targetId });

function callerOf({ actor, ip }: FastifyRequest): Pick<AuditEntry, 'actor' | 'address'> {
  if (!actor) throw new Error('a change without a caller');
  return { actor, address: withoutPort(ip) };
}

/** A change that found nothing returns one of these. */
const isNothing = (result: unknown): boolean => result === null || result === false;

const withSecrets = (state: State | null, names: string[], value: string): State | null =>
  state && { ...state, ...Object.fromEntries(names.map((name) => [name, value])) };

const isSame = (stateBefore: State | null, stateAfter: State | null): boolean =>
  JSON.stringify(stateBefore) === JSON.stringify(stateAfter);

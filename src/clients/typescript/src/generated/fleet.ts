// Generated from /openapi.json by `npm run sdks`. Do not edit.
import type { Pages } from '../pages.ts';
import type { RequestOptions } from '../request-options.ts';
import type { SessionEvents, StreamOptions } from '../session-events.ts';
import { segment, type Transport } from '../transport.ts';
import type * as models from './models.ts';

export type FleetPressureParams = {
  /** Only this pool. */
  pool?: string;
};

export type FleetHistoryParams = {
  span?: 'hour' | 'day' | 'week' | 'month';
};

export type FleetDeleteOverflowParams = {
  /** WORKER_POOL of the workers. Default: `default`. */
  pool?: string;
};

export type FleetListOverflowSessionsParams = {
  /** WORKER_POOL of the workers. Default: `default`. */
  pool?: string;
};

export type FleetWorkerTokensParams = {
  limit?: number;
};

export class FleetResource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * List workers. Workers that are connected now. Draining ones say when they will be empty at the
   * latest.
   */
  workers(options: RequestOptions = {}): Promise<models.WorkerList> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/workers' }, options);
  }

  /**
   * Retrieve fleet pressure. For autoscalers: the wanted number of workers and the figures behind
   * it, for one pool, or for each pool and in total.
   */
  pressure(
    query: FleetPressureParams = {},
    options: RequestOptions = {},
  ): Promise<models.FleetPressure> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/pressure', query }, options);
  }

  /**
   * Audit the fleet. Compares slots, sessions, records, performing workers and rooms. New
   * differences may be changes in progress; lasting ones are repaired within minutes.
   */
  audit(options: RequestOptions = {}): Promise<models.FleetAudit> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/audit' }, options);
  }

  /**
   * Cordon worker. The worker takes no new sessions until it is resumed, and keeps its own. It stays
   * cordoned when it reconnects.
   */
  cordon(id: string, options: RequestOptions = {}): Promise<models.Worker> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/fleet/workers/${segment(id)}/cordon` },
      options,
    );
  }

  /** Resume worker. A cordoned worker takes new sessions again. */
  resume(id: string, options: RequestOptions = {}): Promise<models.Worker> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/fleet/workers/${segment(id)}/resume` },
      options,
    );
  }

  /** Drain worker. The worker takes no new sessions, finishes the running ones and stops. */
  drain(id: string, options: RequestOptions = {}): Promise<models.Worker> {
    return this.#transport.json(
      { method: 'POST', path: `/v1/fleet/workers/${segment(id)}/drain` },
      options,
    );
  }

  /**
   * Audit the fleet and repair it. Runs the repair now instead of within a minute. Differences
   * younger than ten seconds, or seen for the first time, are not repaired.
   */
  repair(options: RequestOptions = {}): Promise<models.FleetAudit> {
    return this.#transport.json({ method: 'POST', path: '/v1/fleet/audit/repair' }, options);
  }

  /**
   * List alerts. Which of the rules in `deploy/prometheus` would fire, as far as the service knows
   * it without Prometheus: from the fleet as it is, and from what all control planes have counted.
   * Alerts that have held too short since a restart of this control plane are pending.
   */
  alerts(options: RequestOptions = {}): Promise<models.FleetAlerts> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/alerts' }, options);
  }

  /**
   * Follow the fleet. Server-sent events: `fleet` with `workers`, as in the list of workers, and
   * `pressure`. It comes at the beginning, and within two seconds of each change, of any control
   * plane.
   */
  events(options: StreamOptions = {}): SessionEvents {
    return this.#transport.events({ method: 'GET', path: '/v1/fleet/events' }, options);
  }

  /**
   * Check health. Of what this control plane depends on, its certificates, the jobs that LiveKit
   * agents of the built-in media server did not take, agent workers that are too slow for speech
   * recognition, what `npm start` is installing for agents, its version, and the migrations of the
   * database. A newer version may have migrated it further.
   */
  health(options: RequestOptions = {}): Promise<models.ServiceHealth> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/health' }, options);
  }

  /**
   * Retrieve history of the fleet. For charts: avatar workers, their slots, the requests that
   * waited, and the sessions that changed their worker, of the last hour, day, week or month. Kept
   * for two months, by quarters of an hour.
   */
  history(
    query: FleetHistoryParams = {},
    options: RequestOptions = {},
  ): Promise<models.FleetHistory> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/history', query }, options);
  }

  /**
   * Set log level of worker. The worker logs at this level until it exits; sessions that have begun
   * may keep theirs. Workers of older versions ignore it.
   */
  logLevel(id: string, body: models.LogLevelRequest, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'POST', path: `/v1/fleet/workers/${segment(id)}/log-level`, body },
      options,
    );
  }

  /**
   * Rebalance the fleet. Moves the longest sessions off overloaded workers, each at its next pause
   * in speech, to workers with free slots. Sessions for which there is no slot stay.
   */
  rebalance(
    body: models.RebalanceRequest,
    options: RequestOptions = {},
  ): Promise<models.Rebalance> {
    return this.#transport.json({ method: 'POST', path: '/v1/fleet/rebalance', body }, options);
  }

  /** Retrieve the canary. How the pool on trial compares with the other one. */
  canary(options: RequestOptions = {}): Promise<models.Canary> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/canary' }, options);
  }

  /**
   * Start a canary. A share of new sessions tries another pool of workers, until significantly more
   * of them fail. Replaces the canary before and counts from zero.
   */
  setCanary(body: models.CanaryRequest, options: RequestOptions = {}): Promise<models.Canary> {
    return this.#transport.json({ method: 'PUT', path: '/v1/fleet/canary', body }, options);
  }

  /** End the canary. All new sessions go to their own pool. Running ones stay. */
  deleteCanary(options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing({ method: 'DELETE', path: '/v1/fleet/canary' }, options);
  }

  /**
   * List overflows. The outside services that take sessions of full pools, with what they cost and
   * why they take no more.
   */
  listOverflows(options: RequestOptions = {}): Promise<models.OverflowList> {
    return this.#transport.json({ method: 'GET', path: '/v1/fleet/overflow' }, options);
  }

  /**
   * Set an overflow. Sessions that find no free slot in the pool are created at an outside service
   * with this interface, within a cost ceiling. Its address cannot change while sessions are open
   * there.
   */
  setOverflow(
    body: models.OverflowRequest,
    options: RequestOptions = {},
  ): Promise<models.Overflow> {
    return this.#transport.json({ method: 'PUT', path: '/v1/fleet/overflow', body }, options);
  }

  /** Remove an overflow. Refused while sessions are open there: set `max_sessions` to 0 first. */
  deleteOverflow(
    query: FleetDeleteOverflowParams = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: '/v1/fleet/overflow', query },
      options,
    );
  }

  /** List sessions of an overflow. The newest 100 sessions at the outside service of a pool. */
  listOverflowSessions(
    query: FleetListOverflowSessionsParams = {},
    options: RequestOptions = {},
  ): Promise<models.OutsideSessionList> {
    return this.#transport.json(
      { method: 'GET', path: '/v1/fleet/overflow/sessions', query },
      options,
    );
  }

  /**
   * Create worker token. One or more workers use it as their WORKER_TOKEN. With `kind` or `pool`,
   * others are refused.
   */
  createWorkerToken(
    body: models.WorkerTokenRequest,
    options: RequestOptions = {},
  ): Promise<models.MadeWorkerToken> {
    return this.#transport.json({ method: 'POST', path: '/v1/fleet/worker-tokens', body }, options);
  }

  /** List worker tokens. Most recent first, including revoked ones. */
  workerTokens(
    query: FleetWorkerTokensParams = {},
    options: RequestOptions = {},
  ): Pages<models.WorkerToken> {
    return this.#transport.pages(
      { method: 'GET', path: '/v1/fleet/worker-tokens', query },
      options,
    );
  }

  /**
   * Revoke worker token. Takes effect at once and cannot be undone. Workers that use it are
   * disconnected, and their sessions move to other workers.
   */
  deleteWorkerToken(id: string, options: RequestOptions = {}): Promise<void> {
    return this.#transport.nothing(
      { method: 'DELETE', path: `/v1/fleet/worker-tokens/${segment(id)}` },
      options,
    );
  }
}

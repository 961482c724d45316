/* Which pods a scale-in should remove last: those with the most sessions. */

export type PodCost = {
  pod: string;
  /** Its annotation. Null: none, which Kubernetes counts as 0. */
  cost: number | null;
};

export type WorkerLoad = {
  /** Null for a worker of an older version. */
  host: string | null;
  taken: number;
};

export type CostChange = { pod: string; cost: number };

/**
 * The changes that make each pod's cost its number of sessions, at most `limit`. First those pods
 * that look emptier than they are, because a scale-in would remove them by mistake. Pods without a
 * connected worker are left alone: it may reconnect, with its sessions.
 */
export function costChanges(pods: PodCost[], workers: WorkerLoad[], limit: number): CostChange[] {
  const sessionsByHost = new Map<string, number>();
  for (const { host, taken: sessions } of workers)
    if (host !== null) sessionsByHost.set(host, (sessionsByHost.get(host) ?? 0) + sessions);

  return pods
    .flatMap(({ pod, cost }) => {
      const sessions = sessionsByHost.get(pod);
      if (sessions === undefined || sessions === cost) return [];
      return [{ pod, cost: sessions, missing: sessions - (cost ?? 0) }];
    })
    .toSorted((a, b) => b.missing - a.missing)
    .slice(0, limit)
    .map(({ pod, cost }) => ({ pod, cost }));
}

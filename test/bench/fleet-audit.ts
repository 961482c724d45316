/* The counters of a control plane, as an operator sees them. */

export type Audit = {
  agrees: boolean;
  leases: number;
  sessions: number;
  rows: number;
  /** Null: the media server did not answer. */
  rooms: number | null;
};

/** `operatorKey` may read the fleet. */
export async function auditOf(url: string, operatorKey: string): Promise<Audit> {
  const reply = await fetch(`${url}/v1/fleet/audit`, { headers: { 'x-api-key': operatorKey } });
  if (reply.status !== 200) throw new Error(`the audit responded with ${reply.status}`);
  return (await reply.json()) as Audit;
}

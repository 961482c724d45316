/* The counters of a control plane, as an operator sees them. */

export type Audit = {
  agrees: boolean;
  leases: number;
  sessions: number;
  rows: number;
  /** Null: the media server did not answer. */
  rooms: number | null;
};

/** A key that may read the fleet, of a new account. */
export async function makeOperatorKey(url: string, adminPassword: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const headers = {
      authorization: `Bearer ${adminPassword}`,
      'content-type': 'application/json',
    };
    const reply = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}`);
    return (await reply.json()) as { id: string; key: string };
  };
  const { id } = await post('/admin/accounts', { name: 'operator', plan: 'unlimited' });
  return (await post(`/admin/accounts/${id}/keys`, { name: 'audit', scope: 'operator' })).key;
}

export async function auditOf(url: string, operatorKey: string): Promise<Audit> {
  const reply = await fetch(`${url}/v1/fleet/audit`, { headers: { 'x-api-key': operatorKey } });
  if (reply.status !== 200) throw new Error(`the audit responded with ${reply.status}`);
  return (await reply.json()) as Audit;
}

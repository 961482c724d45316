import { noteSecrets } from '../kept-logs.ts';

/** Makes an operator's key at a running service, by its admin API. */
export async function newOperatorKey(url: string, password: string): Promise<string> {
  const admin = async (path: string, body: object) => {
    const answer = await fetch(new URL(`/admin${path}`, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${password}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { id: string; key: string };
  };
  const { id } = await admin('/accounts', { name: 'operator' });
  const { key } = await admin(`/accounts/${id}/keys`, { name: 'operator', scope: 'operator' });
  noteSecrets({ key });
  return key;
}

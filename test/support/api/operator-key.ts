import { noteSecrets } from '../kept-logs.ts';

type NewAccount = {
  scope?: 'all' | 'operator';
  /** Only workers of this pool perform its sessions. */
  pool?: string;
};

/** Makes an account at a running service, by its admin API. Returns its key. */
export async function newAccountKey(
  url: string,
  password: string,
  { scope = 'all', pool }: NewAccount = {},
): Promise<string> {
  const admin = async (method: 'POST' | 'PATCH', path: string, body: object) => {
    const answer = await fetch(new URL(`/admin/accounts${path}`, url), {
      method,
      headers: { authorization: `Bearer ${password}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the admin API answered ${answer.status}`);
    return (await answer.json()) as { id: string; key: string };
  };
  const { id } = await admin('POST', '', { name: 'somebody', plan: 'unlimited' });
  if (pool !== undefined) await admin('PATCH', `/${id}`, { pool });
  const { key } = await admin('POST', `/${id}/keys`, { name: 'a key', scope });
  noteSecrets({ password, key });
  return key;
}

export const newOperatorKey = (url: string, password: string): Promise<string> =>
  newAccountKey(url, password, { scope: 'operator' });

import { noteSecrets } from '../kept-logs.ts';

/** Makes an account at a running service, by its admin API. Returns its key. */
export async function newAccountKey(
  url: string,
  password: string,
  scope: 'all' | 'operator' = 'all',
): Promise<string> {
  const admin = async (path: string, body: object) => {
    const answer = await fetch(new URL(`/admin/accounts${path}`, url), {
      method: 'POST',
      headers: { authorization: `Bearer ${password}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`the admin API answered ${answer.status}`);
    return (await answer.json()) as { id: string; key: string };
  };
  const { id } = await admin('', { name: 'somebody', plan: 'unlimited' });
  const { key } = await admin(`/${id}/keys`, { name: 'a key', scope });
  noteSecrets({ password, key });
  return key;
}

export const newOperatorKey = (url: string, password: string): Promise<string> =>
  newAccountKey(url, password, 'operator');

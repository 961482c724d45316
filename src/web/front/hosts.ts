/* The agents that the page can talk with: those of the visitor's account. */
import type { Abilities } from '#protocol/abilities.ts';
import { answerOf, request } from '../api/answers.ts';
import type { PageAccess } from '../access/page-access.ts';
import { pageStorage } from '../look/page-storage.ts';

export type Host = { id: string; name: string; avatar_id: string };

type Access = Pick<PageAccess, 'headers'>;

/** Most recent first. Private agents need a link token, which the page has not. */
export async function hostsOf(access: Access): Promise<Host[]> {
  const { data } = await get<{ data: (Host & { is_private: boolean })[] }>(
    access,
    '/v1/agents?limit=50',
  );
  return data.filter((agent) => !agent.is_private);
}

export const abilitiesOf = (access: Access, { id }: Host): Promise<Abilities> =>
  get(access, `/v1/agents/${encodeURIComponent(id)}/abilities`);

const get = async <Answer>(access: Access, path: string): Promise<Answer> =>
  answerOf(await request(path, { headers: await access.headers() }));

const PLACE = 'troupe.host';

/** The agent that was chosen in this browser before, or the newest one. Null: there is none. */
export function chosenHost(hosts: readonly Host[]): Host | null {
  const chosenId = storage().getItem(PLACE);
  return hosts.find(({ id }) => id === chosenId) ?? hosts[0] ?? null;
}

export const keepChoice = ({ id }: Host): void => storage().setItem(PLACE, id);

const storage = () => pageStorage(() => localStorage);

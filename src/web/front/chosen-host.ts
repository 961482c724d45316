import { pageStorage } from '../look/page-storage.ts';
import type { Host } from '../try/service.ts';

const PLACE = 'troupe.host';

/** The agent that was chosen in this browser before, or the newest one. Null: there is none. */
export function chosenHost(hosts: readonly Host[]): Host | null {
  const chosenId = storage().getItem(PLACE);
  return hosts.find(({ id }) => id === chosenId) ?? hosts[0] ?? null;
}

export const keepChoice = ({ id }: Host): void => storage().setItem(PLACE, id);

const storage = () => pageStorage(() => localStorage);

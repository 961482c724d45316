/*
 * A room of another media server. The page must be loaded again to reach it: its security policy
 * names the servers that it may connect to. The address names the server; the token stays out of
 * it.
 */
import { pageStorage } from '../../look/page-storage.ts';

export type PastedRoom = { url: string; token: string };

const PLACE = 'troupe.playground-room';
const storage = pageStorage(() => sessionStorage);

export function loadFor(room: PastedRoom): void {
  storage.setItem(PLACE, JSON.stringify(room));
  const query = new URLSearchParams({ server: new URL(room.url).origin });
  location.assign(`/console/playground?${query}`);
}

/** The room that this page was loaded for, once. */
export function takePastedRoom(): PastedRoom | null {
  const text = storage.getItem(PLACE);
  storage.removeItem(PLACE);
  return text === null ? null : (JSON.parse(text) as PastedRoom);
}

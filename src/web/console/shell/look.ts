/* Light or dark: as the system, unless chosen. */
import { pageStorage } from '../../look/page-storage.ts';

export const LOOKS = ['system', 'light', 'dark'] as const;
export type Look = (typeof LOOKS)[number];

const KEPT_AS = 'troupe-console-look';
const storage = pageStorage(() => localStorage);

export function chosenLook(): Look {
  const storedLook = storage.getItem(KEPT_AS);
  return LOOKS.find((look) => look === storedLook) ?? 'system';
}

export function chooseLook(look: Look): void {
  storage.setItem(KEPT_AS, look);
  applyLook();
}

export function applyLook(): void {
  const look = chosenLook();
  document.documentElement.style.colorScheme = look === 'system' ? '' : look;
}

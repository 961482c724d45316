import path from 'node:path';
import type { SettingsFile } from '#shared/process/settings-file.ts';

type Report = {
  env: Record<string, string | undefined>;
  file: SettingsFile | null;
  /** Names of all settings. A name that ends with * stands for a prefix. */
  knownNames: readonly string[];
};

/** Which settings a start takes from where: their names, never their values. */
export function settingsReport({ env, file, knownNames }: Report): string[] {
  const isKnown = (name: string) =>
    knownNames.some((entry) =>
      entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry,
    );
  const fromFile = file?.taken.filter((name) => env[name] && isKnown(name)) ?? [];
  const fromEnvironment = Object.keys(env)
    .filter((name) => env[name] && isKnown(name) && !fromFile.includes(name))
    .sort();
  const strange = [...(file?.taken ?? []), ...(file?.ignored ?? [])].filter(
    (name) => !isKnown(name) && name.startsWith('TROUPE_'),
  );
  return [
    ...(file
      ? [`Settings from ${relativePath(file.file)}: ${fromFile.join(', ') || 'none'}.`]
      : []),
    ...(fromEnvironment.length > 0
      ? [`Settings from the environment: ${fromEnvironment.join(', ')}.`]
      : []),
    ...(strange.length > 0
      ? [`Unknown settings in ${relativePath(file?.file ?? '')}: ${strange.join(', ')}.`]
      : []),
  ];
}

const relativePath = (file: string): string => path.relative('', file) || file;

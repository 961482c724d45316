import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadEnvFile } from 'node:process';
import { parseEnv } from 'node:util';
import { OperatorError } from './operator-error.ts';

/** `taken`: names of the settings that the environment did not have before. */
export type SettingsFile = { file: string; taken: string[]; ignored: string[] };

type Environment = Record<string, string | undefined>;

const DEFAULT_FILE = '.env';

let loaded: { settings: SettingsFile | null } | null = null;

/**
 * Adds the settings in TROUPE_ENV_FILE, or else in `.env` of the working folder if it exists, to
 * the environment of this process. Settings that the environment has already keep their values.
 * Reads the file once: a program that another one loads gets the same answer.
 */
export function loadSettingsFile(): SettingsFile | null {
  loaded ??= { settings: readSettingsFile(process.env, loadEnvFile) };
  return loaded.settings;
}

/**
 * Throws an OperatorError if the file cannot be read, or does not exist although TROUPE_ENV_FILE
 * names it.
 */
export function readSettingsFile(
  env: Environment,
  load: (file: string) => void,
  folder = process.cwd(),
): SettingsFile | null {
  const named = env['TROUPE_ENV_FILE'];
  const file = path.resolve(folder, named || DEFAULT_FILE);
  const text = textOf(file, { mayBeMissing: !named });
  if (text === null) return null;
  const names = Object.keys(parseEnv(text));
  const taken = names.filter((name) => env[name] === undefined);
  load(file);
  return { file, taken, ignored: names.filter((name) => !taken.includes(name)) };
}

function textOf(file: string, { mayBeMissing }: { mayBeMissing: boolean }): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayBeMissing) return null;
    throw new OperatorError(
      `The settings file ${file} cannot be read (${code}): correct TROUPE_ENV_FILE or the permissions of the file.`,
      { cause },
    );
  }
}

import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Tests append the secrets that they use to this file of their logs' folder, one JSON string a
 * line.
 */
export const SECRETS_FILE = 'secrets.jsonl';

/** Secrets that the service makes: signed tokens, keys and signing secrets. */
const MADE = [
  /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/g,
  /\b1\d{12}\.[\w-]{43}\b/g,
  /\bwhsec_[\w+/=]{20,}/g,
  // `newSecret` makes these. One in a thousand has no digit and is missed: it looks like an
  // identifier. A SHA-1 has no capitals.
  /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])[A-Za-z0-9]{40}(?![A-Za-z0-9])/g,
];

export type LeakedSecret = { file: string; line: number; secret: string };

/** Finds every secret of the tests in their logs. */
export async function scanLogs(folder: string): Promise<LeakedSecret[]> {
  const used = await secretsOf(folder);
  const leaks: LeakedSecret[] = [];
  for await (const file of glob('**/*.log*', { cwd: folder })) {
    const lines = (await readFile(path.join(folder, file), 'utf8')).split('\n');
    for (const [at, line] of lines.entries()) {
      for (const secret of secretsIn(line, used)) leaks.push({ file, line: at + 1, secret });
    }
  }
  return leaks;
}

function secretsIn(line: string, used: readonly string[]): string[] {
  const matches = MADE.flatMap((pattern) => line.match(pattern) ?? []);
  const secrets = [...new Set([...matches, ...used.filter((secret) => line.includes(secret))])];
  // Base64 between two of its signs may look like another secret.
  return secrets.filter(
    (secret) =>
      !secrets.some((otherSecret) => otherSecret !== secret && otherSecret.includes(secret)),
  );
}

async function secretsOf(folder: string): Promise<string[]> {
  const text = await readFile(path.join(folder, SECRETS_FILE), 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return [...new Set(lines.map((line) => JSON.parse(line) as string))];
}

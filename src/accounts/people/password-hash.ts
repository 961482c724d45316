/* Passwords that people choose, hashed by scrypt as `scrypt$<N>$<r>$<p>$<salt>$<hash>`. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';

export type PasswordCost = { N: number; r: number; p: number };

/** A tenth of a second and 32 MiB. Raise it freely: a hash names the cost it was made with. */
const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** `like`: a hash whose salt the new one takes, if its cost is `cost`. Default: a new salt. */
export function hashPassword(
  password: string,
  cost: PasswordCost = COST,
  like: string | null = null,
): Promise<string> {
  const { N, r, p } = cost;
  const start = ['scrypt', N, r, p].join('$');
  const isAlike = like?.startsWith(`${start}$`) === true;
  const salt = isAlike ? saltOf(like) : randomBytes(SALT_BYTES).toString('base64url');
  return derive(password, `${start}$${salt}`);
}

/**
 * Those of `hashes` that the password has. Hashes of one salt and cost take the time of a single
 * one.
 */
export async function matchingHashes(
  password: string,
  hashes: readonly string[],
): Promise<Set<string>> {
  const matches = new Set<string>();
  for (const start of new Set(hashes.map(startOf))) {
    const derived = await derive(password, start);
    for (const hash of hashes) if (isSame(hash, derived)) matches.add(hash);
  }
  return matches;
}

/** `start`: the hash without its last part. */
async function derive(password: string, start: string): Promise<string> {
  const [name, N, r, p, salt = ''] = start.split('$');
  if (name !== 'scrypt') throw new Error('The password hash has an unknown form.');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r };
  const hash = await new Promise<Buffer>((resolve, reject) => {
    // Equal characters may have several forms, by keyboard.
    const text = password.normalize('NFKC');
    scrypt(text, Buffer.from(salt, 'base64url'), HASH_BYTES, options, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
  return `${start}$${hash.toString('base64url')}`;
}

const startOf = (hash: string): string => hash.slice(0, hash.lastIndexOf('$'));

const saltOf = (hash: string): string => startOf(hash).slice(startOf(hash).lastIndexOf('$') + 1);

function isSame(hash: string, derived: string): boolean {
  const [storedBytes, derivedBytes] = [Buffer.from(hash), Buffer.from(derived)];
  return storedBytes.length === derivedBytes.length && timingSafeEqual(storedBytes, derivedBytes);
}

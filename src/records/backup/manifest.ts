/*
 * A backup is a folder:
 *
 * tables/<name>.jsonl   rows, one a line, as stored: encrypted values stay encrypted
 * blobs/<hash>          pictures and bundles, as stored
 * secret.key            only if asked for
 * SHA256SUMS            of the files above, as `sha256sum` writes it
 * manifest.json         written last: a folder without it is not a complete backup
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '#shared/process/operator-error.ts';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

export const FORMAT = 1;
export const MANIFEST_FILE = 'manifest.json';
export const SUMS_FILE = 'SHA256SUMS';
export const KEY_FILE = 'secret.key';

export const tableFile = (table: string): string => `tables/${table}.jsonl`;
export const blobFile = (hash: string): string => `blobs/${hash}`;

const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  createdAt: Type.String(),
  /** Version of Troupe. */
  version: Type.String(),
  /** The last migration of the tables. */
  migration: Type.String(),
  /** Ids of the secret keys that decrypt the backup. */
  keys: Type.Array(Type.String()),
  /** In the order in which rows can be inserted. */
  tables: Type.Array(
    Type.Object({ name: Type.String({ pattern: '^[a-z_]+$' }), rows: Type.Integer() }),
  ),
  blobs: Type.Integer(),
});
export type Manifest = Static<typeof Manifest>;

export function readManifest(folder: string): Manifest {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(path.join(folder, MANIFEST_FILE), 'utf8'));
  } catch (cause) {
    throw new OperatorError(
      `${folder} is not a complete backup: its ${MANIFEST_FILE} cannot be read.`,
      {
        cause,
      },
    );
  }
  if (Value.Check(Manifest, manifest)) return manifest;
  throw new OperatorError(`${folder} was not made by a version of Troupe that this one can read.`);
}

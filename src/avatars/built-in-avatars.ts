import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { Fault } from '../errors.ts';

const Catalog = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    /** Other accepted ids: short names, and stock ids that published clients send. */
    aliases: Type.Array(Type.String()),
    bundle: Type.String(),
    picture: Type.String(),
    /** The built-in voice that fits the face. */
    voice: Type.Optional(Type.Enum(BUILT_IN_VOICES.map(({ id }) => id))),
    /** Accounts that may use it; absent: all. */
    accounts: Type.Optional(Type.Array(Type.String())),
    /** Named in the error to accounts that may not use it. */
    creator_id: Type.Optional(Type.String()),
  }),
);

/** `voice`: the built-in voice that fits the face; null: the default. */
export type BuiltInAvatar = { id: string; name: string; voice: string | null };

/** The avatars shipped with Troupe. */
export interface BuiltInAvatars {
  all(): BuiltInAvatar[];
  /** The avatars that the account may use. */
  list(accountId: string): BuiltInAvatar[];
  /** Names that callers use for these avatars: an alias of each, or its id. */
  names(accountId: string): string[];
  /** Case-insensitive. Null if unknown; throws `forbidden` for one reserved for other accounts. */
  find(accountId: string, idOrAlias: string): BuiltInAvatar | null;
  /** Path of the avatar's picture. */
  pictureFile(idOrAlias: string): string | null;
}

/** Beside the bundles; workers read it too. */
const catalogFile = fileURLToPath(
  new URL('../../workers/avatar/avatars/catalog.json', import.meta.url),
);

export function builtInAvatars(file = catalogFile): BuiltInAvatars {
  const catalog: Static<typeof Catalog> = Value.Parse(
    Catalog,
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const entries = catalog.map(({ accounts, creator_id: creatorId, ...entry }) => ({
    avatar: { id: entry.id, name: entry.name, voice: entry.voice ?? null },
    names: [entry.id, ...entry.aliases],
    pictureFile: path.join(path.dirname(file), entry.picture),
    isFor: (accountId: string) => !accounts || accounts.includes(accountId),
    creatorId,
  }));
  const byName = new Map(
    entries.flatMap((entry) => entry.names.map((name) => [name.toLowerCase(), entry] as const)),
  );
  return {
    all: () => entries.map(({ avatar }) => avatar),
    list: (accountId) =>
      entries.filter(({ isFor }) => isFor(accountId)).map(({ avatar }) => avatar),
    names: (accountId) =>
      entries.filter(({ isFor }) => isFor(accountId)).map(({ names: [id, alias] }) => alias ?? id!),
    find(accountId, idOrAlias) {
      const entry = byName.get(idOrAlias.toLowerCase());
      if (!entry) return null;
      const { avatar, isFor, creatorId } = entry;
      if (isFor(accountId)) return avatar;
      const about = { avatar_id: avatar.id, ...(creatorId && { creator_id: creatorId }) };
      throw new Fault('forbidden', { about });
    },
    pictureFile: (idOrAlias) => byName.get(idOrAlias.toLowerCase())?.pictureFile ?? null,
  };
}

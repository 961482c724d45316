import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Type, { type Static } from 'typebox';
import Value from 'typebox/value';

const Catalog = Type.Array(
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    /** Other ids that find this avatar: short names, and the stock ids that published clients send. */
    aliases: Type.Array(Type.String()),
    bundle: Type.String(),
    picture: Type.String(),
  }),
);

export type Avatar = {
  id: string;
  name: string;
  /** Where its picture's file is. */
  pictureFile: string;
};

export interface AvatarRecords {
  list(): Avatar[];
  /** By id or alias; neither minds upper or lower case. */
  find(idOrAlias: string): Avatar | null;
}

/** The built-in avatars' facts lie beside their bundles, where the workers read them too. */
const builtIn = fileURLToPath(
  new URL('../../workers/avatar/avatars/catalog.json', import.meta.url),
);

export function avatarRecords(file = builtIn): AvatarRecords {
  const catalog: Static<typeof Catalog> = Value.Parse(
    Catalog,
    JSON.parse(readFileSync(file, 'utf8')),
  );
  const byName = new Map<string, Avatar>();
  const avatars = catalog.map(({ id, name, aliases, picture }) => {
    const avatar = { id, name, pictureFile: path.join(path.dirname(file), picture) };
    for (const known of [id, ...aliases]) byName.set(known.toLowerCase(), avatar);
    return avatar;
  });
  return {
    list: () => avatars,
    find: (idOrAlias) => byName.get(idOrAlias.toLowerCase()) ?? null,
  };
}

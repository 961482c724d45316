/* The built-in avatars, from the catalog beside their bundles. */
import { readFileSync } from 'node:fs';

type BuiltIn = {
  id: string;
  name: string;
  /** The short name that callers use. */
  alias: string;
  /** Names of its files in workers/avatar/avatars. */
  bundle: string;
  picture: string;
};

const FOLDER = new URL('../../workers/avatar/avatars/', import.meta.url);

const catalog = JSON.parse(readFileSync(new URL('catalog.json', FOLDER), 'utf8')) as (Omit<
  BuiltIn,
  'alias'
> & {
  aliases: string[];
})[];

/** In the order of the catalog. */
export const CAST: readonly BuiltIn[] = catalog.map(({ aliases, ...avatar }) => ({
  ...avatar,
  alias: aliases[0]!,
}));

export const [FIRST_AVATAR, SECOND_AVATAR, THIRD_AVATAR, FOURTH_AVATAR] = CAST as [
  BuiltIn,
  BuiltIn,
  BuiltIn,
  BuiltIn,
];

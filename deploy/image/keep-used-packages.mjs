/*
 * `node keep-used-packages.mjs ENTRY ...`: removes from node_modules every package that these
 * entries do not reach, so that an image holds the packages of its own process only. Follows
 * imports, workers and resolved packages whose names are string literals, then the dependencies of
 * each package as npm nested them. Also removes what Node never loads, and lists what is kept in
 * the SBOM.
 */
import { existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';

const SPECIFIER = [
  // An import of types alone is erased.
  /^(?:import|export)(?! type\b)[^'";]*?(?:from )?'([^']+)'/gm,
  /\b(?:import|require|import\.meta\.resolve|require\.resolve)\(\s*'([^']+)'/g,
  /new URL\(\s*'([^']+\.m?[jt]s)',\s*import\.meta\.url/g,
];
const ALIASES = { '#shared/': 'src/shared/', '#protocol/': 'src/protocol/' };
/** A package that only names it as a peer works without. */
const BUILD_TOOLS = new Set(['typescript']);
/** Node runs no TypeScript of packages. */
const UNUSED_FILES = [
  'node_modules/**/*.{map,ts,mts,cts,tsx,tsbuildinfo}',
  'node_modules/**/coverage',
];

/** Source files that the entries reach, and the packages that these files name. */
function reach(entries) {
  const files = new Set(entries);
  const packages = new Set();
  for (const file of files) {
    for (const specifier of specifiersOf(readFileSync(file, 'utf8'))) {
      const local = localFile(file, specifier);
      if (local === null) packages.add(packageOf(specifier));
      // A link to the sources of the pages, or an example in a comment.
      else if (statSync(local, { throwIfNoEntry: false })?.isFile()) files.add(local);
    }
  }
  return packages;
}

const specifiersOf = (text) =>
  SPECIFIER.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]));

function localFile(from, specifier) {
  if (specifier.endsWith('.ts') && !/^[.#@]/.test(specifier) && !specifier.includes('/'))
    return path.join(path.dirname(from), specifier);
  if (specifier.startsWith('.')) return path.join(path.dirname(from), specifier);
  for (const [alias, folder] of Object.entries(ALIASES))
    if (specifier.startsWith(alias)) return path.join(folder, specifier.slice(alias.length));
  return null;
}

const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Paths of the packages and of everything they depend on. Node looks upwards from each package. */
function withDependencies(names) {
  const kept = new Set([...names].map((name) => find('', name)).filter((found) => found !== null));
  for (const at of kept) {
    const facts = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));
    const optionalPeers = facts.peerDependenciesMeta ?? {};
    const wanted = [
      ...Object.keys(facts.dependencies ?? {}),
      ...Object.keys(facts.optionalDependencies ?? {}),
      ...Object.keys(facts.peerDependencies ?? {}).filter(
        (name) => !optionalPeers[name]?.optional && !BUILD_TOOLS.has(name),
      ),
    ];
    for (const name of wanted) {
      const found = find(at, name);
      if (found !== null) kept.add(found);
    }
  }
  return kept;
}

function find(from, name) {
  for (let at = from; ; at = path.dirname(at.slice(0, at.lastIndexOf('node_modules')))) {
    const found = path.join(at, 'node_modules', name);
    if (existsSync(path.join(found, 'package.json'))) return found;
    if (at === '' || at === '.') return null;
  }
}

/**
 * The bill of materials (CycloneDX) lists the whole lockfile until then: with `--omit=dev`, npm
 * leaves out packages that have other users too.
 */
function listInBill(kept) {
  const file = 'sbom.cdx.json';
  const bill = JSON.parse(readFileSync(file, 'utf8'));
  const present = new Set(
    [...kept].map((at) => {
      const { name, version } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'));
      return `${name}@${version}`;
    }),
  );
  const isPresent = (reference) => present.has(reference.split('|')[0]);
  const own = bill.metadata.component['bom-ref'];
  bill.components = bill.components.filter((one) => isPresent(`${nameOf(one)}@${one.version}`));
  bill.dependencies = bill.dependencies
    .filter(({ ref }) => ref === own || isPresent(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn?.filter(isPresent) }));
  writeFileSync(file, JSON.stringify(bill));
}

const nameOf = ({ group, name }) => (group ? `${group}/${name}` : name);

const entries = process.argv.slice(2);
if (entries.length === 0) throw new Error('name the entries whose packages are kept');
const named = reach(entries);
for (const name of builtinModules) named.delete(name);
const kept = withDependencies([...named].filter((name) => !name.startsWith('node:')));
if (kept.size === 0) throw new Error('the entries reach no package: is node_modules installed?');

const all = globSync([
  'node_modules/*',
  'node_modules/@*/*',
  'node_modules/**/node_modules/{*,@*/*}',
])
  .filter((folder) => existsSync(path.join(folder, 'package.json')))
  .sort();
let removed = 0;
for (const folder of all) {
  const holdsKept = [...kept].some(
    (one) => one === folder || one.startsWith(`${folder}/node_modules/`),
  );
  if (holdsKept || !existsSync(folder)) continue;
  rmSync(folder, { recursive: true });
  removed += 1;
}
for (const file of globSync(UNUSED_FILES)) rmSync(file, { recursive: true, force: true });
for (const shell of globSync('node_modules/**/.bin')) rmSync(shell, { recursive: true });
listInBill(kept);
console.log(`kept ${kept.size} packages, removed ${removed}`);

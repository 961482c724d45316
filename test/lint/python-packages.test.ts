/*
 * pip installs reviewed files only: each requirement is one version with its checksums, and a
 * wheel, because a build from source downloads build tools without checksums unless it uses the
 * installed ones (--no-build-isolation).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean);
const read = (file: string): string => readFileSync(file, 'utf8');

/** Edited by hand. `uv pip compile` makes the .txt file of the same name; see its head. */
const SOURCES = tracked.filter((file) => file.endsWith('.in'));
const COMPILED = tracked.filter(
  (file) => file.endsWith('.txt') && (/requirements/.test(file) || read(file).includes('==')),
);

const FROM_SOURCE = ['workers/studio/training/source.txt'];

const HASHED = /^[\w.-]+==[^\s;]+( ; [^\\]+?)?(\s+--hash=sha256:[\da-f]{64})+$/;

/** Every line that is neither empty nor a comment, joined with its continuations. */
const linesIn = (file: string): string[] =>
  read(file)
    .replaceAll(/\s*\\\n/g, ' ')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));

/** Commands that make pip fetch something: in a shell, or as a list of arguments. */
const FETCH = /\bpip3?['",\s]+(?:install|download)\b/g;
const HASHES_FIRST = /^['",\s]+--require-hashes\b/;
/** Documentation tells users how to get our packages. */
const OUR_FOLDER = /^ \.\.\/troupe\/src\/clients\/[\w-]+$/;

describe('Python packages', () => {
  test('are compiled from a list of what is needed', () => {
    expect(COMPILED).toContain('deploy/natural-voice/requirements.txt');
    expect(SOURCES.map((file) => file.replace(/\.in$/, '.txt'))).toEqual(COMPILED);
  });

  test.each(COMPILED)('%s has checksums of everything, and wheels only', (file) => {
    const [form, ...requirements] = linesIn(file);

    expect(form).toBe(FROM_SOURCE.includes(file) ? '--no-binary pyworld' : '--only-binary :all:');
    expect(requirements.filter((line) => !HASHED.test(line))).toEqual([]);
    expect(requirements).not.toEqual([]);
  });

  test.each(SOURCES)('%s asks for what its compiled file has', (file) => {
    const compiled = linesIn(file.replace(/\.in$/, '.txt')).map((line) => line.split(' ')[0]);
    const requirements = linesIn(file).filter((line) => /^[\w.-]+==\S+$/.test(line));

    expect(compiled).toEqual(expect.arrayContaining(requirements));
  });

  test.each(COMPILED)('of %s are audited every week', (file) => {
    expect(read('.github/workflows/audit.yml').split(/\s+/)).toContain(file);
  });

  test('are fetched by checksum everywhere', () => {
    const commands = tracked
      .filter((file) => existsSync(file) && !/\.(?:flac|png|jpg|webp|wasm|bin)$/.test(file))
      // It tells users how to get packages for programs of their own.
      .filter((file) => !file.endsWith('/guides/livekit-agent.md'))
      .flatMap((file) => {
        const text = read(file);
        return [...text.matchAll(FETCH)].map((match) => ({
          file,
          rest: text.slice(match.index + match[0].length).split('\n', 1)[0]!,
        }));
      });

    expect(commands.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['.ci/run', 'src/shared/process/python-packages.ts']),
    );
    expect(
      commands.filter(({ rest }) => !HASHES_FIRST.test(rest) && !OUR_FOLDER.test(rest)),
    ).toEqual([]);
    const built = commands.filter(({ rest }) => /\bsource\.txt/.test(rest));
    expect(built.filter(({ rest }) => !rest.includes('--no-build-isolation'))).toEqual([]);
    expect(built).toHaveLength(FROM_SOURCE.length);
  });
});

import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { troupe } from '../run-troupe.ts';

const scriptOf = async (shell: string): Promise<string> =>
  (await troupe(['completion', shell])).stdout;

/** The words that bash offers for a line whose last word is incomplete. */
function offered(script: string, line: string): string[] {
  const words = line.split(' ');
  const program = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_troupe
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split('\n');
}

describe('completion of bash', () => {
  test.each([
    { line: 'troupe se', words: ['session'] },
    { line: 'troupe session ', words: ['create', 'list', 'watch', 'still', 'end'] },
    { line: 'troupe session list --st', words: ['--status'] },
    { line: 'troupe --json session wa', words: ['watch'] },
    { line: 'troupe key list --a', words: ['--all', '--account'] },
    { line: 'troupe completion ', words: ['bash', 'zsh', 'fish'] },
    { line: 'troupe logs me', words: ['media-server'] },
    { line: 'troupe backup packa', words: ['package.json', 'package-lock.json'] },
  ])('offers $words after "$line"', async ({ line, words }) => {
    const completions = offered(await scriptOf('bash'), line);

    expect(completions.toSorted()).toEqual(words.toSorted());
  });

  test('offers the options of every command too', async () => {
    const completions = offered(await scriptOf('bash'), 'troupe fleet status --');

    expect(completions).toEqual(expect.arrayContaining(['--pool', '--json', '--url', '--help']));
  });
});

describe('completion of zsh and fish', () => {
  test.each(['zsh', 'fish'])('of %s names each command with its meaning', async (shell) => {
    const script = await scriptOf(shell);

    for (const word of ['session', 'drain', 'with-keys', 'media-server'])
      expect(script).toContain(word);
    expect(script).toContain('API keys');
  });

  test('keeps quotes and colons of meanings apart', async () => {
    expect(await scriptOf('zsh')).toContain(
      "'--slots:sessions at once; default\\: 4 for each core",
    );
  });
});

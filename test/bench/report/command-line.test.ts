import { describe, expect, test } from 'vitest';
import type { Bench } from '../bench.ts';
import { readCommand, usage } from './command-line.ts';

const bench = (name: string, onlyByName = false): Bench => ({
  name,
  description: `measures ${name}`,
  onlyByName,
  run: async () => [],
});
const benches = [bench('speech'), bench('density'), bench('drift', true)];

const namesOf = (args: string[]) => {
  const command = readCommand(args, benches);
  return command.type === 'run' ? command.benches.map(({ name }) => name) : command;
};

describe('command line of the bench', () => {
  test('runs all that do not take too long', () => {
    expect(namesOf([])).toEqual(['speech', 'density']);
  });

  test('runs those that are named', () => {
    expect(namesOf(['drift', 'speech'])).toEqual(['speech', 'drift']);
  });

  test('reads the files to write and to compare with', () => {
    expect(readCommand(['speech', '--json', 'a.json', '--compare=b.json'], benches)).toMatchObject({
      type: 'run',
      json: 'a.json',
      compare: 'b.json',
    });
  });

  test.each([[['nonsense']], [['--nonsense']], [['--json']], [['speech', 'nonsense']]])(
    'refuses %j',
    (args) => {
      expect(readCommand(args, benches).type).toBe('wrong');
    },
  );

  test('explains itself with the list of benches', () => {
    expect(readCommand(['--help'], benches)).toEqual({ type: 'help' });
    expect(usage(benches)).toMatch(/--compare FILE[^]+speech +measures speech[^]+drift/);
  });
});

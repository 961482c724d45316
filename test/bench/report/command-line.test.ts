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

describe("the bench's command line", () => {
  test('selects all benches that run by default', () => {
    expect(namesOf([])).toEqual(['speech', 'density']);
  });

  test('selects the named benches', () => {
    expect(namesOf(['drift', 'speech'])).toEqual(['speech', 'drift']);
  });

  test('reads the files to write and to compare', () => {
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

  test('lists the benches in its help', () => {
    expect(readCommand(['--help'], benches)).toEqual({ type: 'help' });
    expect(usage(benches)).toMatch(/--compare FILE[^]+speech +measures speech[^]+drift/);
  });
});

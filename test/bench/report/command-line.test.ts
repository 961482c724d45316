import { describe, expect, test } from 'vitest';
import type { Bench } from '../bench.ts';
import { readCommand, usage } from './command-line.ts';

const bench = (name: string, fields: Partial<Bench> = {}): Bench => ({
  name,
  description: `measures ${name}`,
  run: async () => [],
  ...fields,
});
const benches = [
  bench('speech'),
  bench('density'),
  bench('drift', { onlyByName: true }),
  bench('barge-in', { onlyByName: true, isOfMedia: true }),
];

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

  test('selects the benches of media as one set', () => {
    expect(namesOf(['media'])).toEqual(['barge-in']);
    expect(namesOf(['media', 'speech'])).toEqual(['speech', 'barge-in']);
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

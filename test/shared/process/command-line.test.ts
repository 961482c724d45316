import { describe, expect, test } from 'vitest';
import { parseCommand } from '../../../src/shared/process/command-line.ts';

const spec = {
  usage: 'Usage: npm run draw -- FILE [--width N]',
  options: { width: { type: 'string', default: '64' } },
  positionals: { min: 1, max: 2 },
} as const;

describe('command line', () => {
  test('has the given options, defaults and positional arguments', () => {
    const command = parseCommand(spec, ['a.png', '--width', '8']);

    expect(command).toMatchObject({ type: 'run', values: { width: '8' }, positionals: ['a.png'] });
    expect(parseCommand(spec, ['a.png'])).toMatchObject({ values: { width: '64' } });
  });

  test.each([[['--help']], [['-h']], [['a', 'b', 'c', '--help']]])('asks for help: %j', (args) => {
    expect(parseCommand(spec, args)).toEqual({ type: 'help' });
  });

  test.each([
    { args: ['a.png', '--height', '8'], problem: "Unknown option '--height'." },
    { args: ['a.png', '--width'], problem: "Option '--width <value>' argument missing." },
    { args: [], problem: 'An argument is missing.' },
    { args: ['a', 'b', 'c'], problem: "Unexpected argument 'c'." },
  ])('names the problem: $problem', ({ args, problem }) => {
    expect(parseCommand(spec, args)).toEqual({ type: 'wrong', problem });
  });
});

import type { Command } from 'commander';

/** The words that may follow a command. */
export type CommandWords = {
  /** Names of the commands before it and of itself, without `troupe`: `session list`. */
  path: string;
  commands: Word[];
  options: Word[];
  /** Words that its argument takes, or whether it names a file. */
  argument: { words: readonly string[]; isFile: boolean };
};

export type Word = { name: string; meaning: string };

/** The program and every command of it. */
export function wordsOf(program: Command): CommandWords[] {
  const globals = program.options.map(toWord);
  const visit = (command: Command, path: string[]): CommandWords[] => [
    {
      path: path.join(' '),
      commands: command.commands.map((each) => ({
        name: each.name(),
        meaning: each.description(),
      })),
      options: [...(command === program ? [] : command.options.map(toWord)), ...globals, HELP],
      argument: argumentOf(command),
    },
    ...command.commands.flatMap((each) => visit(each, [...path, each.name()])),
  ];
  return visit(program, []);
}

const HELP: Word = { name: '--help', meaning: 'print help' };

const toWord = ({ long, description }: Command['options'][number]): Word => ({
  name: long ?? '',
  meaning: description,
});

function argumentOf(command: Command): CommandWords['argument'] {
  const [argument] = command.registeredArguments;
  const isFile = /^(folder|photo|file)$/.test(argument?.name() ?? '');
  return { words: argument?.argChoices ?? [], isFile };
}

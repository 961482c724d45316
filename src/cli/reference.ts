import type { Command, Option } from 'commander';
import { EXIT_CODES } from './exit-codes.ts';
import { allCommands } from './program.ts';

/** The reference of all commands as Markdown, made of what `--help` prints. */
export function reference(program: Command): string {
  const leaves = allCommands(program).filter(({ commands }) => commands.length === 0);
  return [
    '# Command line',
    '',
    `${program.description()} \`troupe\` starts it, and uses the public API of a running one.`,
    '',
    '```sh',
    'npx troupe start     # the whole service, on this machine',
    'npx troupe doctor    # finds what keeps it from running, and what to do',
    '```',
    '',
    '## For every command',
    '',
    ...optionRows(program.options),
    '',
    'Settings come from the environment and from `.env` in the working folder (another file: `TROUPE_ENV_FILE`); options win over both.',
    'Tables and progress are for people. With `--json`, standard output holds only JSON, and errors are `{"error": {"message", "exit_code"}}` on',
    'standard error. Colours are off in a pipe and with `NO_COLOR`.',
    '',
    '| exit code | meaning |',
    '|---|---|',
    ...Object.entries(EXIT_CODES).map(([code, meaning]) => `| ${code} | ${cell(meaning)} |`),
    '',
    ...leaves.flatMap(section),
  ].join('\n');
}

function section(command: Command): string[] {
  const { text, examples } = helpText(command);
  const ofGroup = command.parent?.parent ? helpText(command.parent).text : '';
  return [
    `## ${pathOf(command)}`,
    '',
    `${capital(command.description())}.`,
    '',
    '```text',
    usage(command),
    '```',
    '',
    ...(command.options.length > 0 ? [...optionRows(command.options), ''] : []),
    ...(text ? [text, ''] : []),
    ...(ofGroup ? [ofGroup, ''] : []),
    ...(examples.length > 0 ? ['```sh', ...examples, '```', ''] : []),
  ];
}

const usage = (command: Command): string =>
  [
    `troupe ${pathOf(command)}`,
    ...command.registeredArguments.map(
      (argument) =>
        `${argument.required ? '<' : '['}${argument.name()}${argument.variadic ? '...' : ''}${argument.required ? '>' : ']'}`,
    ),
    ...(command.options.length > 0 ? ['[options]'] : []),
  ].join(' ');

const optionRows = (options: readonly Option[]): string[] => [
  '| option | meaning |',
  '|---|---|',
  ...options.map(
    (option) => `| \`${option.flags}\` | ${cell(capital(option.description))}${factsOf(option)} |`,
  ),
];

function factsOf({ argChoices, defaultValue, mandatory, negate }: Option): string {
  const facts = [
    ...(mandatory ? ['Required.'] : []),
    ...(argChoices ? [`One of ${argChoices.map((each) => `\`${each}\``).join(', ')}.`] : []),
    ...(defaultValue !== undefined && !negate ? [`Default: \`${defaultValue}\`.`] : []),
  ];
  return facts.length > 0 ? `. ${facts.join(' ')}` : '.';
}

/**
 * The text that `addHelpText` adds after the options: sentences, and examples with `$` before each.
 */
function helpText(command: Command): { text: string; examples: string[] } {
  let added = '';
  const write = (text: string) => void (added += text);
  command.configureOutput({ writeOut: write });
  command.outputHelp();
  const addedHelp = added.slice(command.helpInformation().length);
  const [text = '', examples = ''] = addedHelp.split('Examples:\n');
  return {
    text: text.trim(),
    examples: examples
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.trim().replace(/^\$ /, '')),
  };
}

function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const cell = (text: string): string => text.replace(/\.$/, '').replaceAll('|', '\\|');

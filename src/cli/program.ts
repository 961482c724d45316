import { Command } from 'commander';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { CliContext, GlobalOptions } from './cli-context.ts';
import { agentCommand } from './commands/agent.ts';
import { avatarCommand } from './commands/avatar.ts';
import { backupCommand } from './commands/backup.ts';
import { completionCommand } from './commands/completion.ts';
import { doctorCommand } from './commands/doctor.ts';
import { domainCommand } from './commands/domain.ts';
import { fleetCommand } from './commands/fleet.ts';
import { keyCommand } from './commands/key.ts';
import { logsCommand } from './commands/logs.ts';
import { restoreCommand } from './commands/restore.ts';
import { sessionCommand } from './commands/session.ts';
import { speechCommand } from './commands/speech.ts';
import { startCommand } from './commands/start.ts';
import { workerCommand } from './commands/worker.ts';
import { EXIT_CODES } from './exit-codes.ts';

/*
 * All commands of `troupe`. Built without reading a setting, a file or the network, so that help
 * and completion always work.
 */
export function createProgram(context: CliContext): Command {
  const program = new Command('troupe')
    .description(
      'A self-hosted avatar video service: voice agents speak, Troupe gives them a face.',
    )
    .version(SOFTWARE_VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--json', 'print JSON, for programs')
    .option('--url <url>', 'the service; default: TROUPE_URL, or the one on this machine')
    .option('--key <key>', 'API key; default: TROUPE_API_KEY, which `ps` does not show')
    .option('--no-color', 'no colours; also with NO_COLOR, and into a pipe')
    .configureHelp({ showGlobalOptions: true, helpWidth: HELP_WIDTH })
    .showHelpAfterError('Add --help for usage and examples.')
    .addHelpText('after', `\n${SETTINGS}\n\n${exitCodes()}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      outputError: (text, write) => write(sentence(text)),
    });
  program.hook('preAction', (_root, command) => {
    context.options = command.optsWithGlobals<GlobalOptions>();
  });
  for (const command of [
    startCommand(context),
    doctorCommand(context),
    keyCommand(context),
    domainCommand(context),
    sessionCommand(context),
    agentCommand(context),
    avatarCommand(context),
    workerCommand(context),
    fleetCommand(context),
    logsCommand(context),
    speechCommand(context),
    backupCommand(context),
    restoreCommand(context),
    completionCommand(context),
  ]) {
    program.addCommand(command);
  }
  // `addCommand` passes none of these on to commands that were made elsewhere.
  for (const command of allCommands(program)) {
    command.copyInheritedSettings(program).helpCommand(false).allowExcessArguments(false);
  }
  return program;
}

/** Every command below `parent`, each followed by its own. */
export const allCommands = (parent: Command): Command[] =>
  parent.commands.flatMap((command) => [command, ...allCommands(command)]);

const HELP_WIDTH = 100;

const SETTINGS = `Settings come from the environment and from .env in this folder (another file: TROUPE_ENV_FILE).`;

const exitCodes = (): string =>
  [
    'Exit codes:',
    ...Object.entries(EXIT_CODES).map(([code, meaning]) => `  ${code.padEnd(5)}${meaning}`),
  ].join('\n');

/** Commander writes `error: unknown option '--x'`. */
function sentence(text: string): string {
  const [firstLine = '', ...otherLines] = text
    .replace(/^error: /, '')
    .trimEnd()
    .split('\n');
  const capital = `${firstLine.charAt(0).toUpperCase()}${firstLine.slice(1)}`;
  return `${[/[.?)]$/.test(capital) ? capital : `${capital}.`, ...otherLines].join('\n')}\n`;
}

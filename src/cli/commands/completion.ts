import { Argument, Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { completionScript, SHELLS, type Shell } from '../completion/completion-script.ts';
import { wordsOf } from '../completion/command-words.ts';

export const completionCommand = (context: CliContext) =>
  new Command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  $ troupe completion bash > ~/.local/share/bash-completion/completions/troupe
  $ troupe completion zsh > "\${fpath[1]}/_troupe"
  $ troupe completion fish > ~/.config/fish/completions/troupe.fish`,
    )
    .action((shell: Shell, _options: object, command: Command) => {
      if (command.parent) context.stdout.write(completionScript(shell, wordsOf(command.parent)));
    });

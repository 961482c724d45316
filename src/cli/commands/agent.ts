import { Command } from 'commander';
import type { AgentRequest } from '../../clients/typescript/src/generated/models.ts';
import { listNewest, serviceApi } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { readCount } from '../option-values.ts';
import { fields, note, print, table } from '../printing.ts';
import { shortTime } from '../times.ts';
import { limitsCommand } from './agent-limits.ts';

export const agentCommand = (context: CliContext) =>
  new Command('agent')
    .description('managed agents: Troupe holds the conversation')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(limitsCommand(context))
    .addCommand(talkCommand(context));

type CreateOptions = {
  name: string;
  avatar: string;
  greeting?: string;
  prompt?: string;
  language?: NonNullable<AgentRequest['language']>;
  maxMinutes?: number;
};

const createCommand = (context: CliContext) =>
  new Command('create')
    .description('create an agent and print the link to its room')
    .requiredOption('--name <name>', 'name of the agent')
    .option('--avatar <id>', 'id or name of its avatar', 'nora')
    .option('--greeting <text>', 'first sentence of the agent')
    .option('--prompt <text>', 'instructions for its language model')
    .option('--language <code>', 'language that it speaks and understands, for example de')
    .option('--max-minutes <count>', 'time limit of a call', readCount)
    .addHelpText(
      'after',
      `
Examples:
  $ troupe agent create --name Nora --greeting 'Hello! What can I do for you?'
  $ troupe agent create --name Theo --avatar theo --prompt "$(cat prompt.txt)" --json`,
    )
    .action(async (options: CreateOptions) => {
      const { name, avatar, greeting, prompt, language, maxMinutes } = options;
      const troupe = await serviceApi(context);
      const agent = await troupe.agents.create({
        name,
        avatar_id: avatar,
        ...(greeting && { greeting }),
        ...(prompt && { system_prompt: prompt }),
        ...(language && { language }),
        ...(maxMinutes && { max_session_length_minutes: maxMinutes }),
      });
      print(context, agent, () =>
        fields([
          ['id', agent.id],
          ['room', agent.chat_url],
        ]),
      );
    });

const listCommand = (context: CliContext) =>
  new Command('list')
    .description('list agents, newest first')
    .option('--limit <count>', 'how many', readCount, 50)
    .addHelpText('after', '\nExamples:\n  $ troupe agent list')
    .action(async ({ limit }: { limit: number }) => {
      const troupe = await serviceApi(context);
      const agents = await listNewest(limit, (query) => troupe.agents.list(query));
      print(context, { data: agents }, () =>
        table([
          ['ID', 'NAME', 'LANGUAGE', 'CREATED', 'ROOM'],
          ...agents.map((agent) => [
            agent.id,
            agent.name,
            agent.language,
            shortTime(agent.created_at),
            agent.chat_url,
          ]),
        ]),
      );
    });

const talkCommand = (context: CliContext) =>
  new Command('talk')
    .description('open the room of an agent in your browser')
    .argument('<id>', 'id of the agent')
    .option('--no-open', 'only print the link')
    .addHelpText(
      'after',
      `
Prints the link, and opens it unless the output goes into a pipe. Anyone with the link may talk to the agent.

Examples:
  $ troupe agent talk 0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11`,
    )
    .action(async (id: string, { open }: { open: boolean }) => {
      const troupe = await serviceApi(context);
      const { chat_url: link, is_private: isPrivate } = await troupe.agents.retrieve(id);
      print(context, { id, chat_url: link, is_private: isPrivate }, () => [link]);
      if (isPrivate)
        note(
          context,
          'The agent is private: its room needs a link token, which your backend signs.',
        );
      if (!open || context.options.json || !context.stdout.isTTY) return;
      await context
        .open(link)
        .catch(() => note(context, 'No browser could be opened: open the link yourself.'));
    });

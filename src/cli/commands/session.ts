import { Argument, Command, Option } from 'commander';
import { NotFoundError } from '../../clients/typescript/src/errors.ts';
import type {
  OpenedSession,
  SessionStatus,
} from '../../clients/typescript/src/generated/models.ts';
import { listNewest, serviceApi } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';
import { readCount, readPairs } from '../option-values.ts';
import { receivePicture, writePicture } from '../pictures/picture-file.ts';
import { fields, print, printLine, styled, table } from '../printing.ts';
import { statusText } from '../sessions/session-status.ts';
import { shortTime } from '../times.ts';
import { watchSession } from '../sessions/watch-session.ts';

export const sessionCommand = (context: CliContext) =>
  new Command('session')
    .description('sessions: one avatar in one room')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(watchCommand(context))
    .addCommand(stillCommand(context))
    .addCommand(endCommand(context));

type CreateOptions = {
  avatar: string;
  roomUrl?: string;
  roomToken?: string;
  transport?: OpenedSession['transport'];
  maxMinutes?: number;
  metadata?: Record<string, string>;
  watch?: true;
};

const createCommand = (context: CliContext) =>
  new Command('create')
    .description('start an avatar, in a room of yours or in a new one')
    .option('--avatar <id>', 'id or name of the avatar', 'nora')
    .option('--room-url <url>', 'address of your media server; default: a new room')
    .option('--room-token <token>', 'room token for the avatar, with --room-url')
    .addOption(
      new Option('--transport <name>', 'how media reaches the room').choices([
        'mediaserver',
        'botroom',
      ]),
    )
    .option('--max-minutes <count>', 'end the session after this time', readCount)
    .option('--metadata <name=value>', 'stored with the session; may be repeated', readPairs)
    .option('--watch', 'follow the session until it ends')
    .addHelpText(
      'after',
      `
Prints the id and what your agent and your viewer need to join a new room.

Examples:
  $ troupe session create
  $ troupe session create --avatar theo --max-minutes 10 --watch
  $ troupe session create --room-url wss://media.example.com --room-token "$TOKEN" --json`,
    )
    .action(async (options: CreateOptions) => {
      const { avatar, roomUrl, roomToken, transport, maxMinutes, metadata, watch } = options;
      const troupe = await serviceApi(context);
      const request = {
        avatar_id: avatar,
        ...(transport && { transport }),
        ...(roomUrl && { url: roomUrl }),
        ...(roomToken && { token: roomToken }),
        ...(maxMinutes && { max_session_length_minutes: maxMinutes }),
        ...(metadata && { metadata }),
      };
      const session = await troupe.sessions.create(request).catch((error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        const advice = `There is no avatar '${avatar}': \`troupe avatar list\` lists them.`;
        throw new CliError(advice, 5, { cause: error });
      });
      print(context, session, () => fields(roomFields(session)));
      if (watch) await watchSession(context, troupe, session.id);
    });

/** The address and tokens with which an agent and a viewer join. */
function roomFields(session: OpenedSession): [name: string, value: string][] {
  const { id, url, room } = session;
  const isBotroom = session.transport === 'botroom';
  const entries: [string, string | undefined][] = [
    ['id', id],
    ['room', room?.name],
    ['url', room?.url ?? url],
    ['token', isBotroom ? session.token : undefined],
    ['agent token', isBotroom ? undefined : session.room?.agent_token],
    ['viewer token', room?.viewer_token],
  ];
  return entries.filter((field): field is [string, string] => field[1] !== undefined);
}

type ListOptions = { status?: SessionStatus['type']; avatar?: string; limit: number };

const listCommand = (context: CliContext) =>
  new Command('list')
    .description('list sessions, newest first')
    .addOption(
      new Option('--status <status>', 'only these').choices(['to_start', 'ongoing', 'completed']),
    )
    .option('--avatar <id>', 'only those of this avatar')
    .option('--limit <count>', 'how many', readCount, 20)
    .addHelpText(
      'after',
      '\nExamples:\n  $ troupe session list --status ongoing\n  $ troupe session list --limit 200 --json',
    )
    .action(async ({ status, avatar, limit }: ListOptions) => {
      const troupe = await serviceApi(context);
      const filter = { ...(status && { status }), ...(avatar && { avatar_id: avatar }) };
      const sessions = await listNewest(limit, (query) =>
        troupe.sessions.list({ ...query, ...filter }),
      );
      print(context, { data: sessions }, () =>
        table([
          ['ID', 'STATUS', 'TRANSPORT', 'CREATED', 'END REASON'],
          ...sessions.map((session) => [
            session.id,
            statusText(session, context.clock.now()),
            session.transport,
            shortTime(session.created_at),
            session.end_reason ?? '-',
          ]),
        ]),
      );
    });

const watchCommand = (context: CliContext) =>
  new Command('watch')
    .description('print what happens in a session, until it ends')
    .argument('<id>', 'id of the session')
    .addHelpText(
      'after',
      `
With --json, one JSON object a line. A lost connection is opened again.

Examples:
  $ troupe session watch 0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11`,
    )
    .action(async (id: string) => watchSession(context, await serviceApi(context), id));

const stillCommand = (context: CliContext) =>
  new Command('still')
    .description('save a picture of what its avatar shows now')
    .argument('<id>', 'id of the session')
    .option('--output <file>', 'JPEG file; default: the id with .jpg')
    .addHelpText(
      'after',
      `
Sessions of calls show one only if the owner of the account permits it.

Examples:
  $ troupe session still 3f0c7a52-6a9e-4a0f-9d5e-1f6b8c2d4e10
  $ troupe session still 3f0c7a52-6a9e-4a0f-9d5e-1f6b8c2d4e10 --output now.jpg`,
    )
    .action(async (id: string, { output = `${id}.jpg` }: { output?: string }) => {
      const troupe = await serviceApi(context);
      const picture = await receivePicture(context, (signal) =>
        troupe.sessions.still(id, { signal }),
      );
      await writePicture(output, picture);
      print(context, { file: output }, () => [`Saved ${output}`]);
    });

const endCommand = (context: CliContext) =>
  new Command('end')
    .description('end sessions')
    .addArgument(new Argument('<id...>', 'ids of sessions'))
    .addHelpText(
      'after',
      '\nExamples:\n  $ troupe session end 0192f0c1-7a3e-7b52-9d53-0c6f1b1f6f11',
    )
    .action(async (ids: string[]) => {
      const troupe = await serviceApi(context);
      for (const id of ids) {
        const session = await troupe.sessions.end(id);
        printLine(context, session, () =>
          [
            `Ended ${id}`,
            styled(context, context.stdout, 'dim', `(${session.end_reason ?? 'ending'})`),
          ].join(' '),
        );
      }
    });

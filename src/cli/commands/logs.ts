import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { Argument, Command, Option } from 'commander';
import { delay } from '#shared/clock.ts';
import { inShort, LEVELS, parseLogLine } from '../../start/processes/log-lines.ts';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';
import { LogTail, type LogEntry } from '../log-tail.ts';
import { readCount } from '../option-values.ts';
import { printLine, styled } from '../printing.ts';
import { applySettings, localSettings } from '../settings.ts';

const PROGRAMS = ['control', 'worker', 'agent', 'media-server'] as const;
const POLL_MS = 300;

type LogOptions = { lines: number; follow?: true; level: string; dataDir?: string };

export const logsCommand = (context: CliContext) =>
  new Command('logs')
    .description('show the logs of the service on this machine')
    .addArgument(new Argument('[program]', 'only this one').choices(PROGRAMS))
    .option('-n, --lines <count>', 'how many lines', readCount, 50)
    .option('-f, --follow', 'print new lines as they come; Ctrl-C stops it')
    .addOption(
      new Option('--level <level>', 'only lines of at least this level')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .option('--data-dir <folder>', 'DATA_DIR of the service; default: ./data')
    .addHelpText(
      'after',
      `
\`npm start\` and \`troupe start\` write these files to DATA_DIR/logs. With --json, each line is one object.

Examples:
  $ troupe logs
  $ troupe logs worker --follow
  $ troupe logs --level warn -n 20`,
    )
    .action(async (program: string | undefined, options: LogOptions) => {
      const { lines, follow, level, dataDir } = options;
      applySettings(context.env, { DATA_DIR: dataDir });
      const folder = path.resolve((await localSettings(context)).DATA_DIR, 'logs');
      await checkFolder(folder);
      const tails = (program ? [program] : PROGRAMS).map((name) => new LogTail(folder, name));
      const read = async () => {
        const entries = (await Promise.all(tails.map((tail) => tail.read()))).flat();
        return entries
          .filter((entry) => entry.level >= (LEVELS[level] ?? 0))
          .sort((a, b) => a.time - b.time);
      };
      for (const entry of (await read()).slice(-lines)) show(context, entry);
      if (!follow) return;
      for (;;) {
        await delay(context.clock, POLL_MS, context.signal);
        for (const entry of await read()) show(context, entry);
      }
    });

async function checkFolder(folder: string): Promise<void> {
  const files = await readdir(folder).catch(() => []);
  if (files.some((file) => file.endsWith('.log'))) return;
  throw new CliError(
    `There are no logs in ${folder}: start the service here with \`troupe start\`, or name its folder with --data-dir.`,
    5,
  );
}

function show(context: CliContext, { program, time, level, text }: LogEntry): void {
  const event = parseLogLine(text);
  printLine(context, { program, ...(event ?? { msg: text }) }, () => {
    const at = time > 0 ? new Date(time).toISOString().slice(11, 23) : '-'.padEnd(12);
    const line = event ? inShort(event) : text;
    const style = level >= 50 ? 'red' : level >= 40 ? 'yellow' : null;
    return [
      styled(context, context.stdout, 'dim', at),
      styled(context, context.stdout, 'cyan', program.padEnd(12)),
      style ? styled(context, context.stdout, style, line) : line,
    ].join(' ');
  });
}

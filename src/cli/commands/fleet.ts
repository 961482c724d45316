import { Argument, Command } from 'commander';
import { delay } from '#shared/clock.ts';
import type { LogLevelRequest } from '../../clients/typescript/src/generated/models.ts';
import { serviceApi } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { note, print, printLine, styled, table } from '../printing.ts';
import { shortTime } from '../times.ts';

const POLL_MS = 2_000;
const COLOURS = {
  ready: 'green',
  late: 'yellow',
  resting: 'yellow',
  cordoned: 'cyan',
  draining: 'cyan',
} as const;

export const fleetCommand = (context: CliContext) =>
  new Command('fleet')
    .description('workers: state, cordon and drain; needs a key of the scope operator')
    .addCommand(statusCommand(context))
    .addCommand(cordonCommand(context))
    .addCommand(resumeCommand(context))
    .addCommand(drainCommand(context))
    .addCommand(logLevelCommand(context));

const statusCommand = (context: CliContext) =>
  new Command('status')
    .description('list the workers, their sessions and the demand')
    .option('--pool <name>', 'only this pool')
    .addHelpText(
      'after',
      `
Examples:
  $ troupe key create --name ops --scope operator
  $ TROUPE_API_KEY=... troupe fleet status
  $ troupe fleet status --json | jq '.workers[] | select(.state == "late")'`,
    )
    .action(async ({ pool }: { pool?: string }) => {
      const { fleet } = await serviceApi(context);
      const [allWorkers, demand, overflows] = await Promise.all([
        fleet.workers(),
        fleet.pressure(pool === undefined ? {} : { pool }),
        fleet.listOverflows(),
      ]);
      const workers = allWorkers.data.filter(
        (worker) => pool === undefined || worker.pool === pool,
      );
      const overflow = overflows.data.filter((each) => pool === undefined || each.pool === pool);
      print(context, { workers, pressure: demand, overflow }, () => [
        ...table([
          ['ID', 'KIND', 'POOL', 'STATE', 'SESSIONS', 'VERSION', 'HOST', 'SINCE'],
          ...workers.map((worker) => [
            worker.id,
            worker.kind,
            worker.pool,
            styled(context, context.stdout, COLOURS[worker.state], worker.state),
            `${worker.taken}/${worker.slots}`,
            worker.version,
            worker.host ?? '-',
            shortTime(worker.since),
          ]),
        ]),
        '',
        `Workers needed ${demand.wanted_workers}, free slots ${demand.free_slots}, waiting requests ${demand.queue_depth}.`,
        ...overflow.map(
          (each) =>
            `Overflow of ${each.pool} to ${each.url}: ${each.state}, sessions ${each.sessions}/${each.max_sessions}, spent ${each.spent} and held ${each.reserved} of ${each.ceiling} this ${each.period}.`,
        ),
      ]);
    });

const WORKER = 'id of the worker, from `troupe fleet status`';

const cordonCommand = (context: CliContext) =>
  new Command('cordon')
    .description('stop new sessions on a worker until it is resumed')
    .argument('<worker>', WORKER)
    .addHelpText(
      'after',
      `
It keeps its sessions, and stays cordoned when it reconnects.

Examples:
  $ troupe fleet cordon worker-1`,
    )
    .action(async (id: string) => {
      const { fleet } = await serviceApi(context);
      const { taken: sessions } = await fleet.cordon(id);
      printLine(context, { id, cordoned: true, sessions }, () =>
        sessions === 0
          ? `${id} is cordoned, without sessions.`
          : `${id} is cordoned and keeps its sessions: ${sessions}.`,
      );
    });

const resumeCommand = (context: CliContext) =>
  new Command('resume')
    .description('allow new sessions on a cordoned worker again')
    .argument('<worker>', WORKER)
    .addHelpText(
      'after',
      `
Examples:
  $ troupe fleet resume worker-1`,
    )
    .action(async (id: string) => {
      const { fleet } = await serviceApi(context);
      const { slots, taken: sessions } = await fleet.resume(id);
      const free = Math.max(0, slots - sessions);
      printLine(
        context,
        { id, cordoned: false, free_slots: free },
        () => `${id} takes sessions again: ${free} slots are free.`,
      );
    });

const drainCommand = (context: CliContext) =>
  new Command('drain')
    .description('stop new sessions on a worker, and end it after its last one')
    .argument('<worker>', WORKER)
    .option('--wait', 'until it is empty')
    .addHelpText(
      'after',
      `
This cannot be undone. The worker exits when it is empty.

Examples:
  $ troupe fleet drain worker-1 --wait`,
    )
    .action(async (id: string, { wait }: { wait?: true }) => {
      const { fleet } = await serviceApi(context);
      const { taken: sessions, drain } = await fleet.drain(id);
      if (wait) await untilEmpty(context, id);
      const sessionsLeft = wait ? 0 : sessions;
      printLine(context, { id, draining: true, sessions: sessionsLeft }, () =>
        sessionsLeft === 0
          ? `${id} is empty.`
          : `${id} is draining: sessions left ${sessionsLeft}, empty at the latest ${drain?.done_by ? shortTime(drain.done_by) : 'when they end'}.`,
      );
    });

const logLevelCommand = (context: CliContext) =>
  new Command('log-level')
    .description('set the log level of a worker until it exits')
    .argument('<worker>', WORKER)
    .addArgument(new Argument('<level>').choices(['debug', 'info', 'warn', 'error']))
    .addHelpText(
      'after',
      `
Running sessions may keep their level.

Examples:
  $ troupe fleet log-level worker-1 debug`,
    )
    .action(async (id: string, level: LogLevelRequest['level']) => {
      const { fleet } = await serviceApi(context);
      await fleet.logLevel(id, { level });
      printLine(context, { id, level }, () => `${id} logs at the level ${level}.`);
    });

async function untilEmpty(context: CliContext, id: string): Promise<void> {
  const { fleet } = await serviceApi(context);
  let lastCount = -1;
  for (;;) {
    const { data: workers } = await fleet.workers();
    const worker = workers.find((each) => each.id === id);
    // An empty worker may have gone.
    if (!worker || worker.taken === 0) return;
    if (worker.taken !== lastCount) note(context, `${id}: ${worker.taken} sessions left`);
    lastCount = worker.taken;
    await delay(context.clock, POLL_MS, context.signal);
  }
}

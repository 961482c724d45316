import { Command } from 'commander';
import type { CliContext } from '../cli-context.ts';
import { CliError } from '../exit-codes.ts';
import type { Check } from '../doctor/check.ts';
import { print, styled } from '../printing.ts';

export const doctorCommand = (context: CliContext) =>
  new Command('doctor')
    .description('find out what keeps a service from running, and what to do about it')
    .option('--turn <address>', 'also ask this TURN server: turns:turn.example.com:443')
    .addHelpText(
      'after',
      `
Checks Node, settings, secrets, disk, ports, media server, UDP, TURN, clock, the service, jobs that LiveKit agents did
not take, and the API key. Finds a service
that your user runs on this machine, whatever its folder and port. With --url or TROUPE_URL, only what matters for a
service elsewhere. Exit code: 1 if there is a problem. Nothing is changed, except that a file is written to DATA_DIR for a
moment.

Examples:
  $ troupe doctor
  $ troupe doctor --turn turns:turn.example.com:443
  $ troupe doctor --url https://troupe.example.com --json`,
    )
    .action(async ({ turn }: { turn?: string }) => {
      const { allChecks } = await import('../doctor/all-checks.ts');
      const checks = await allChecks(context, turn);
      const problems = checks.filter(({ state }) => state === 'problem').length;
      print(context, { healthy: problems === 0, checks }, () => lines(context, checks));
      if (problems > 0)
        throw new CliError(`${problems} of ${checks.length} checks found a problem.`);
    });

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

function lines(context: CliContext, checks: Check[]): string[] {
  return checks.flatMap(({ name, state, says, fix }) => {
    const [style, mark] = MARKS[state];
    const head = `${styled(context, context.stdout, style, mark)} ${name.padEnd(13)} ${says}`;
    return fix ? [head, `${' '.repeat(16)}${fix}`] : [head];
  });
}

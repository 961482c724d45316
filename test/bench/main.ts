/*
 * `npm run bench`: measures sessions, each figure beside a floor from the same run. See `--help`.
 */
import path from 'node:path';
import type { Bench, Tools } from './bench.ts';
import { benches } from './benches.ts';
import { readCommand, usage, type Command } from './report/command-line.ts';
import { comparison } from './report/compare.ts';
import { EXIT, exitCode, judge } from './report/judge.ts';
import { outliveDroppedHandles } from '../support/processes/outlive-dropped-handles.ts';
import { startLoad } from './api/load-meter.ts';
import { busyness, describeMachine } from './machine.ts';
import {
  busyText,
  headline,
  machineText,
  readReport,
  resultTable,
  writeReport,
  type Report,
  type Result,
} from './report/report.ts';
import { machineMs } from './rpc.ts';
import type { Stage } from './stage.ts';

const print = (text: string) => console.log(text);

// Threads of rtc-node may keep the process alive after all rooms are left.
process.exit(await follow(readCommand(process.argv.slice(2), benches)));

async function follow(command: Command): Promise<number> {
  if (command.type === 'help') {
    print(usage(benches));
    return EXIT.good;
  }
  if (command.type === 'wrong') return wrong(command.problem);
  let earlierReport: Report | null = null;
  if (command.compare !== null) {
    try {
      earlierReport = readReport(command.compare);
    } catch (error) {
      return wrong(`cannot read ${command.compare}: ${(error as Error).message}`);
    }
  }
  const report = await runAll(command.benches);
  const file =
    command.json ?? path.join('dist/bench', `${report.startedAt.replaceAll(':', '-')}.json`);
  writeReport(file, report);
  print(`\nAt the end: ${busyText(report.busyAtEnd)}. Written to ${file}`);
  if (earlierReport) print(`\n${comparison(earlierReport, report)}`);
  if (report.benches.some(({ error }) => error !== undefined)) return EXIT.missed;
  return exitCode(report.benches.flatMap(({ rows }) => rows.map(({ verdict }) => verdict)));
}

function wrong(problem: string): number {
  console.error(`${problem}\n\n${usage(benches)}`);
  return EXIT.usage;
}

async function runAll(selection: Bench[]): Promise<Report> {
  // Otherwise rtc-node, which benches load, writes each of its steps to standard output.
  process.env['NODE_ENV'] ??= 'production';
  outliveDroppedHandles();
  const [machine, startedAt, busyAtStart] = [
    describeMachine(),
    new Date().toISOString(),
    busyness(),
  ];
  print(`${machineText(machine)}\nAt the start: ${busyText(busyAtStart)}`);
  const results: Result[] = [];
  let stage: Promise<Stage> | null = null;
  const tools: Tools = {
    stage: () => (stage ??= openStage()),
    say: (line) => print(`  ${line}`),
  };
  try {
    for (const bench of selection) {
      print(`\n${bench.name}: ${bench.description}`);
      const result = await runOne(bench, tools);
      results.push(result);
      print(`${headline(result)}\n${result.error ?? resultTable(result)}`);
    }
  } finally {
    // A stage that failed to open has already failed its bench.
    const opened: Stage | null =
      (await (stage as Promise<Stage> | null)?.catch(() => null)) ?? null;
    await opened?.close();
  }
  const endedAt = new Date().toISOString();
  return { machine, startedAt, endedAt, busyAtStart, busyAtEnd: busyness(), benches: results };
}

async function openStage(): Promise<Stage> {
  const { Stage } = await import('./stage.ts');
  return Stage.open();
}

async function runOne(bench: Bench, tools: Tools): Promise<Result> {
  const { name, calmBy = 'pressure' } = bench;
  const from = machineMs();
  const endLoad = startLoad();
  const seconds = () => (machineMs() - from) / 1000;
  try {
    const rows = await bench.run(tools);
    const load = endLoad();
    const judged = rows.map((row) => ({ ...row, verdict: judge(row, load, calmBy) }));
    return { name, seconds: seconds(), load, calmBy, rows: judged };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { name, seconds: seconds(), load: endLoad(), calmBy, rows: [], error: text };
  }
}

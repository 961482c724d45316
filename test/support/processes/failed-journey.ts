/*
 * Reports what the services logged during a failed journey, as a second error of its test. A race shows itself rarely, often on a machine
 * that is gone afterwards, such as CI's.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach } from 'vitest';

/** Data folders of the services that run in this process's tests. */
export const runningServices = new Set<string>();

const LAST_LINES = 150;
const LONGEST_LINE = 400;
/** Without the parts that are the same in each line. */
const FRAME = ['level', 'time', 'ts', 'pid', 'hostname', 'name', 'msg', 'logger', 'caller'];

type Line = { at: number; text: string };

export function showLogsOfFailures(): void {
  beforeEach(({ task, onTestFailed }) => {
    const startedAt = Date.now();
    onTestFailed(() => {
      for (const dataDir of runningServices) {
        const lines = linesSince(path.join(dataDir, 'logs'), startedAt);
        const message = ['Logged meanwhile:', ...lines].join('\n');
        task.result?.errors?.push({ name: 'Logs', message, stack: message });
      }
    });
  });
}

function linesSince(folder: string, startedAt: number): string[] {
  if (!existsSync(folder)) return [];
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) =>
      readFileSync(path.join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line) => parse(path.basename(file, '.log'), line)),
    );
  return lines
    .filter(({ at }) => at >= startedAt)
    .toSorted((one, other) => one.at - other.at)
    .slice(-LAST_LINES)
    .map(({ text }) => text);
}

/** Returns no line if it is not of interest. */
function parse(program: string, line: string): Line[] {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return [];
  }
  const { time, ts } = fields;
  if (!isOfInterest(fields)) return [];
  const at = typeof ts === 'number' ? ts * 1000 : Date.parse(String(time ?? ts));
  if (Number.isNaN(at)) return [];
  const when = new Date(at).toISOString().slice(11, 23);
  return [{ at, text: `${when} ${program}: ${textOf(fields)}`.slice(0, LONGEST_LINE) }];
}

/** Not what the media server writes at `info`, nor requests that only read. */
function isOfInterest({ level, req, res }: Record<string, unknown>): boolean {
  if (typeof level !== 'number') return level === 'warn' || level === 'error';
  if (!isObject(req) || !isObject(res)) return true;
  return req['method'] !== 'GET' || Number(res['statusCode']) >= 400;
}

function textOf({ req, res, ...fields }: Record<string, unknown>): string {
  const what = String(fields['msg']);
  if (isObject(req) && isObject(res))
    return `${what} ${String(req['method'])} ${String(req['url'])} ${String(res['statusCode'])}`;
  const rest = Object.entries(fields).filter(([name]) => !FRAME.includes(name));
  return `${what} ${JSON.stringify(Object.fromEntries(rest))}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

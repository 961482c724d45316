/*
 * Reports what the services logged during a failed journey, as a second error of its test. A race shows itself rarely, often on a machine
 * that is gone afterwards, such as CI's.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach } from 'vitest';
import {
  inShort,
  levelOf,
  parseLogLine,
  type LogEvent,
} from '../../../src/start/processes/log-lines.ts';

/** Data folders of the services that run in this process's tests. */
export const runningServices = new Set<string>();

const LAST_LINES = 150;
const LONGEST_LINE = 400;
const WARN = 40;

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
  const event = parseLogLine(line);
  if (!event || !isOfInterest(program, event)) return [];
  const { time, ts } = event;
  const at = Date.parse(String(time ?? ts));
  if (Number.isNaN(at)) return [];
  const when = new Date(at).toISOString().slice(11, 23);
  return [{ at, text: `${when} ${program}: ${inShort(event)}`.slice(0, LONGEST_LINE) }];
}

/** Not what the media server writes at `info`, nor requests that only read. */
function isOfInterest(program: string, event: LogEvent): boolean {
  if (program === 'media-server') return levelOf(event) >= WARN;
  const { req, res } = event as { req?: { method: string }; res?: { statusCode: number } };
  return req?.method !== 'GET' || (res?.statusCode ?? 0) >= 400;
}

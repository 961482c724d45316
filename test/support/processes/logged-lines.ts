import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  inShort,
  levelOf,
  parseLogLine,
  type LogEvent,
} from '../../../src/start/processes/log-lines.ts';

const LONGEST_LINE = 400;
const WARN = 40;

type Line = { at: number; text: string };

/** Lines of interest in the folder's logs, by time. `sinceMs`: milliseconds since the epoch. */
export function loggedIn(folder: string, sinceMs = 0): string[] {
  if (!existsSync(folder)) return [];
  const lines = readdirSync(folder)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) =>
      readFileSync(path.join(folder, file), 'utf8')
        .split('\n')
        .flatMap((line) => parse(path.basename(file, '.log'), line)),
    );
  return lines
    .filter(({ at }) => at >= sinceMs)
    .toSorted((a, b) => a.at - b.at)
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

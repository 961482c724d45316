/*
 * Reports what the services logged during a failed journey, as a second error of its test. A race
 * shows itself rarely, often on a machine that is gone afterwards, such as CI's.
 */
import path from 'node:path';
import { beforeEach } from 'vitest';
import { loggedIn } from './logged-lines.ts';

/** Data folders of the services that run in this process's tests. */
export const runningServices = new Set<string>();

const LAST_LINES = 150;

export function showLogsOfFailures(): void {
  beforeEach(({ task, onTestFailed }) => {
    const startedAt = Date.now();
    onTestFailed(() => {
      for (const dataDir of runningServices) {
        const lines = loggedIn(path.join(dataDir, 'logs'), startedAt).slice(-LAST_LINES);
        const message = ['Logged meanwhile:', ...lines].join('\n');
        task.result?.errors?.push({ name: 'Logs', message, stack: message });
      }
    });
  });
}

/* Logs as many lines as each message says, like the programs of Troupe, and answers `logged`. */
import { createLog } from '#shared/log.ts';

const log = createLog({ name: 'test' });

process.on('message', (lines: number) => {
  for (let line = 0; line < lines; line += 1) log.info({ more: 'x'.repeat(1000) }, 'line');
  process.send?.('logged');
});
process.on('disconnect', () => process.exit());

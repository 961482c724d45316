import type { Session } from '../../clients/typescript/src/generated/models.ts';
import { backoffMs } from '#shared/backoff.ts';
import { delay } from '#shared/clock.ts';
import type { Api } from '../api-client.ts';
import type { CliContext } from '../cli-context.ts';
import { eventsOf } from './event-stream.ts';
import { CliError } from '../exit-codes.ts';
import { note, printLine, styled } from '../printing.ts';
import { statusText } from './session-status.ts';

/*
 * Follows a session by its event stream until it is completed. A stream that breaks is opened
 * again: its first event is the present state, so nothing is lost. A state that was printed before
 * is not printed again.
 */
const RETRY = { firstMs: 500, maxMs: 10_000 };
/** After this many failures in a row, about a minute, the service is gone. */
const MOST_FAILURES = 8;

export async function watchSession(context: CliContext, api: Api, id: string): Promise<void> {
  const path = `/v1/sessions/${encodeURIComponent(id)}/events`;
  let shownStatus = '';
  let failures = 0;
  for (;;) {
    let problem: unknown = new CliError('The service ends the event stream too early.', 3);
    try {
      const response = await api.send('GET', path, { timeoutMs: 0 });
      for await (const { event, data } of eventsOf(response.body!)) {
        failures = 0;
        const session = JSON.parse(data) as Session;
        if (session.status.type !== shownStatus) show(context, event, session);
        shownStatus = session.status.type;
        if (shownStatus === 'completed') return;
      }
    } catch (error) {
      context.signal.throwIfAborted();
      if (error instanceof CliError && error.exitCode !== 3) throw error;
      if (error instanceof CliError) problem = error;
    }
    failures += 1;
    if (failures > MOST_FAILURES) throw problem;
    note(
      context,
      styled(context, context.stderr, 'dim', 'The connection was lost; opening it again.'),
    );
    await delay(context.clock, backoffMs(failures, RETRY), context.signal);
  }
}

function show(context: CliContext, event: string, session: Session): void {
  printLine(context, { event, session }, () => {
    const { end_reason: reason, end_detail: detail } = session;
    const time = new Date(context.clock.now()).toISOString().slice(11, 19);
    const why = reason ? ` (${[reason, detail].filter(Boolean).join(': ')})` : '';
    return `${styled(context, context.stdout, 'dim', time)}  ${statusText(session, context.clock.now())}${why}`;
  });
}

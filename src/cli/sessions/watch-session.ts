import type { Session } from '../../clients/typescript/src/generated/models.ts';
import type { Troupe } from '../../clients/typescript/src/generated/troupe.ts';
import type { CliContext } from '../cli-context.ts';
import { note, printLine, styled } from '../printing.ts';
import { statusText } from './session-status.ts';

/** They take about half a minute. */
const MAX_RECONNECTS = 8;

/** Follows a session until it is completed. */
export async function watchSession(context: CliContext, troupe: Troupe, id: string): Promise<void> {
  const notice = styled(
    context,
    context.stderr,
    'dim',
    'The connection was lost; opening it again.',
  );
  const events = troupe.sessions.events(id, {
    signal: context.signal,
    maxReconnects: MAX_RECONNECTS,
    onReconnect: () => note(context, notice),
  });
  for await (const { event, data } of events) show(context, event, data);
}

function show(context: CliContext, event: string, session: Session): void {
  printLine(context, { event, session }, () => {
    const { end_reason: reason, end_detail: detail } = session;
    const time = new Date(context.clock.now()).toISOString().slice(11, 19);
    const why = reason ? ` (${[reason, detail].filter(Boolean).join(': ')})` : '';
    return `${styled(context, context.stdout, 'dim', time)}  ${statusText(session, context.clock.now())}${why}`;
  });
}

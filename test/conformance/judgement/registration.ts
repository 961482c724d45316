import { agreedProtocol, PROTOCOLS } from '#protocol/worker/protocol-version.ts';
import type { Register } from '#protocol/worker/worker-messages.ts';
import type { Connection, Heard } from '../tap.ts';

/** The gateway waits as long for the answer to an assignment. */
const ANSWER_MS = 2_000;

/** The first messages of every connection, and that all messages fit the protocol. */
export function judgeMessages(messages: readonly Heard[]): string[] {
  const fromWorker = messages.filter(({ from }) => from === 'worker');
  const problems: string[] = [];
  const wrong = fromWorker.filter(({ message }) => message === null).length;
  if (wrong > 0) problems.push(`${wrong} messages do not match the protocol`);
  for (const number of new Set(fromWorker.map(({ connection }) => connection))) {
    const firstMessage = fromWorker.find(({ connection }) => connection === number)!.message;
    if (firstMessage?.type !== 'register')
      problems.push(
        `connection ${number + 1} begins with ${firstMessage?.type ?? 'another message'}`,
      );
    else if (agreedProtocol(rangeOf(firstMessage), PROTOCOLS) === null)
      problems.push(`registers with protocol ${firstMessage.protocol}`);
  }
  return problems;
}

const rangeOf = ({ protocol, newestProtocol }: Register) => ({
  oldest: protocol,
  newest: newestProtocol ?? protocol,
});

/** Each assignment is answered in time. */
export function judgeAnswers(messages: readonly Heard[]): string[] {
  return messages.flatMap(({ atMs, from, message }) => {
    if (from !== 'gateway' || message?.type !== 'assign') return [];
    const { sessionId, epoch } = message.placement;
    const answer = messages.find(
      (later) =>
        later.from === 'worker' &&
        (later.message?.type === 'accepted' || later.message?.type === 'refused') &&
        later.message.placement.sessionId === sessionId &&
        later.message.placement.epoch === epoch,
    );
    if (!answer) return [`the assignment of epoch ${epoch} is not answered`];
    if (answer.message?.type === 'refused') return [`refused: ${answer.message.why}`];
    const tookMs = Math.round(answer.atMs - atMs);
    return tookMs <= ANSWER_MS ? [] : [`the assignment is answered after ${tookMs} ms`];
  });
}

/** Most attempts within the time that a refused worker is watched. */
const MOST_ATTEMPTS = 8;

/** After a refusal for its version a worker stops, or tries again less and less often. */
export function judgeRefused(connections: readonly Connection[], hasExited: boolean): string[] {
  if (hasExited) return [];
  const times = connections.map(({ atMs }) => atMs);
  if (times.length > MOST_ATTEMPTS) return [`connects ${times.length} times without back-off`];
  const pauses = times.slice(1).map((atMs, i) => atMs - times[i]!);
  const isSlower = pauses.length < 2 || pauses.at(-1)! > pauses[0]!;
  return isSlower ? [] : [`pauses ${pauses.map(Math.round).join(', ')} ms: no back-off`];
}

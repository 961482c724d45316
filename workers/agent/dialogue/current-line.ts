/*
 * Sends the current line to a user who asks for it. The framework streams a line to those in the
 * room when it begins: a later participant misses the head of the stream, and drops the rest. The
 * framework sends the text faster than it is spoken; the call's record has the line once it is
 * spoken.
 */
import type { voice } from '@livekit/agents';
import type { Room } from '@livekit/rtc-node';
import { SerialQueue } from '#shared/serial-queue.ts';
import type { Log } from '#shared/log.ts';
import {
  CURRENT_LINE,
  RPC_OK,
  RPC_REJECT,
  SEGMENT_ID,
  TRANSCRIPTION_TOPIC,
} from '#protocol/room-terms.ts';

type Writer = { write(text: string): Promise<void>; close(): Promise<void> };

type Copy = { queue: SerialQueue; writer: Promise<Writer> };

/** Opens a stream of the line that the framework sends under this id. */
type OpenStream = (segmentId: string) => Promise<Writer>;

/** The framework's output that streams lines to the room. */
type LineStream = { currentId: string; writer: unknown };

const isLineStream = (output: object): output is LineStream =>
  'currentId' in output && 'writer' in output;

/** An output of the framework for the agent's lines, beside its own. */
export class CurrentLine {
  readonly #log: Log;
  /** Null once the line is recorded. */
  #text: string | null = null;
  #isComplete = false;
  #copies: Copy[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  async captureText(piece: string | { text: string }): Promise<void> {
    const text = typeof piece === 'string' ? piece : piece.text;
    this.#text = this.#isComplete ? text : (this.#text ?? '') + text;
    this.#isComplete = false;
    for (const copy of this.#copies) this.#write(copy, text);
  }

  flush(): void {
    this.#isComplete = true;
    for (const { queue, writer } of this.#copies)
      this.#run(queue, async () => (await writer).close());
    this.#copies = [];
  }

  /** From now on, the call's transcript has the line. */
  recorded(): void {
    this.#text = null;
  }

  /** Sends the line so far, and what follows. False if no line is being said. */
  copyTo(openStream: OpenStream, segmentId: string): boolean {
    if (this.#text === null) return false;
    const copy = { queue: new SerialQueue(), writer: openStream(segmentId) };
    this.#copies.push(copy);
    this.#write(copy, this.#text);
    if (this.#isComplete) this.flush();
    return true;
  }

  #write({ queue, writer }: Copy, text: string): void {
    this.#run(queue, async () => (await writer).write(text));
  }

  #run(queue: SerialQueue, send: () => Promise<void>): void {
    queue
      .run(send)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'line of a late user interrupted'));
  }
}

/** Answers the user's page. Call it once `roomIo` has started. Null: it sends no lines. */
export function repeatCurrentLine(
  roomIo: voice.RoomIO,
  { localParticipant: local }: Pick<Room, 'localParticipant'>,
  userIdentity: string,
  log: Log,
): CurrentLine | null {
  // oxlint-disable-next-line no-underscore-dangle -- the framework's own name
  const sinks: object[] = roomIo['agentTranscriptOutput']?._sinks ?? [];
  const stream = sinks.find(isLineStream);
  if (!local || !stream) return null;
  const line = new CurrentLine(log);
  sinks.push(line);
  local.registerRpcMethod(CURRENT_LINE, async ({ callerIdentity }) => {
    if (callerIdentity !== userIdentity) return RPC_REJECT;
    const isSaid = line.copyTo(
      (segmentId) =>
        local.streamText({
          topic: TRANSCRIPTION_TOPIC,
          attributes: { [SEGMENT_ID]: segmentId },
          destinationIdentities: [userIdentity],
        }),
      stream.currentId,
    );
    return isSaid ? RPC_OK : RPC_REJECT;
  });
  return line;
}

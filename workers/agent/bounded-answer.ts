/*
 * Limits what an endpoint's answer may hold in memory. The client of its API collects an event of a
 * stream, or an answer that is no stream, until it is complete, and searches all of it again with
 * each piece: it gets whole events.
 */

/** An answer of the longest kind, in one event, with each character escaped. */
export const MAX_EVENT_BYTES = 512 * 1024;

/** A long answer in events of one character each. */
export const MAX_ANSWER_BYTES = 16 * 1024 ** 2;

/** Its body fails when it is larger. */
export function boundedAnswer(response: Response): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  return new Response(body.pipeThrough(wholeEvents()), { status, statusText, headers });
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** An empty line ends an event. */
function wholeEvents(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let eventBytes = 0;
  let answerBytes = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(bytes, controller) {
      answerBytes += bytes.length;
      let from = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at];
        if (byte === CARRIAGE_RETURN) continue;
        if (byte === LINE_FEED && isLineEmpty) {
          controller.enqueue(Buffer.concat([...pieces, bytes.subarray(from, at + 1)]));
          from = at + 1;
          pieces = [];
          eventBytes = 0;
        }
        isLineEmpty = byte === LINE_FEED;
      }
      pieces.push(bytes.subarray(from));
      eventBytes += bytes.length - from;
      if (eventBytes > MAX_EVENT_BYTES || answerBytes > MAX_ANSWER_BYTES)
        controller.error(new Error('the answer is larger than any text to speak'));
    },
    flush: (controller) => controller.enqueue(Buffer.concat(pieces)),
  });
}

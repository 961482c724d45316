/* Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

export type ServerSentEvent = { event: string; data: string };

/** Yields null for a comment, which shows that the connection still lives. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent | null, void, undefined> {
  let event = '';
  let data: string[] = [];
  for await (const line of lines(body)) {
    if (line === '') {
      if (data.length > 0) yield { event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
    } else if (line.startsWith(':')) yield null;
    else {
      const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line)!;
      if (field === 'event') event = value!;
      else if (field === 'data') data.push(value!);
    }
  }
}

/** Lines without their ends: CR LF, LF or CR. */
async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  try {
    while (true) {
      const { done, value } = await reader.read();
      buffer += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A CR at the end may be half of a CR LF.
      const parts = buffer.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?!$)/);
      buffer = parts.pop()!;
      yield* parts;
      if (done) return;
    }
  } finally {
    // Also when the consumer stops early: the connection must not stay open.
    await reader.cancel().catch(() => {});
  }
}

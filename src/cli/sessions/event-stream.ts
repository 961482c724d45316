export type StreamEvent = { event: string; data: string };

/** Reads server-sent events. Comments, which keep the connection open, are skipped. */
export async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = toEvent(block);
      if (event) yield event;
    }
  }
}

function toEvent(block: string): StreamEvent | null {
  const values = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
  const data = values('data');
  return data.length === 0
    ? null
    : { event: values('event')[0] ?? 'message', data: data.join('\n') };
}

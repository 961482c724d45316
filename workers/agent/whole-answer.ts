/*
 * Some servers answer a request for a stream with one whole chat completion. The client of their
 * API would read no text from it, so it becomes a stream of one event.
 */
import type OpenAI from 'openai';

export async function asEventStream(response: Response): Promise<Response> {
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !/^application\/json\b/i.test(type)) return response;
  const { choices = [], ...completion } = (await response.json()) as Partial<OpenAI.ChatCompletion>;
  const chunk = {
    ...completion,
    choices: choices.map(({ message, ...choice }) => ({ ...choice, delta: message })),
  };
  return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}

import type { Clock } from '#shared/clock.ts';
import { withoutReasoning } from '#shared/reasoning-filter.ts';
import type { RequestOutgoing } from '../../egress/outgoing-request.ts';
import type { CallBrief } from '#protocol/call-brief.ts';

export type Llm = NonNullable<CallBrief['llm']>;

type ChatRequest = {
  llm: Llm;
  system: string;
  user: string;
  /** Requests JSON by `response_format`, which not every compatible server supports. */
  asJson: boolean;
  withinMs: number;
};

const MAX_ANSWER_BYTES = 1024 ** 2;

/** Sends one request and returns the text. Throws if there is none. */
export async function completeChat(
  { post, clock }: { post: RequestOutgoing; clock: Clock },
  { llm, system, user, asJson, withinMs }: ChatRequest,
): Promise<string> {
  const tooLate = new AbortController();
  const cancel = clock.after(withinMs, () => tooLate.abort());
  try {
    const { status, body } = await post({
      url: `${llm.url.replace(/\/+$/, '')}/chat/completions`,
      headers: {
        'content-type': 'application/json',
        ...(llm.key !== null && { authorization: `Bearer ${llm.key}` }),
      },
      body: JSON.stringify({
        model: llm.model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        ...(asJson && { response_format: { type: 'json_object' } }),
        ...(llm.reasoningEffort && { reasoning_effort: llm.reasoningEffort }),
      }),
      signal: tooLate.signal,
      maxBytes: MAX_ANSWER_BYTES,
    });
    if (status !== 200) throw new Error(`the model answered ${status}`);
    return textOf(JSON.parse(body.toString('utf8')));
  } finally {
    cancel();
  }
}

type Completion = { choices?: { message?: { content?: unknown } }[] } | null;

function textOf(answer: unknown): string {
  const content = (answer as Completion)?.choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new Error('the model answered no text');
  return withoutReasoning(content);
}

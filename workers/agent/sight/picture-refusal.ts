/*
 * Many models take no pictures, and few servers say so before they get one. A request with a
 * picture that fails is sent again without it, so that no question stays unanswered. Only when that
 * succeeds was the picture at fault. An error of the server itself may be a passing one, unless it
 * names pictures.
 */
import OpenAI from 'openai';

type Request = OpenAI.ChatCompletionCreateParamsStreaming;
type Message = OpenAI.ChatCompletionMessageParam;

/** They concern the key, the rate or the server. A request without the picture fails, too. */
const OTHER_REASONS = new Set([401, 402, 403, 408, 429, 502, 503, 504]);

/** In errors of llama-server, Ollama and others. */
const ABOUT_PICTURES = /image|vision|multi-?modal|mmproj/i;

export async function createWithoutRefusedPictures<Answer>(
  request: Request,
  create: (request: Request) => PromiseLike<Answer>,
  onRefused: (status: number) => void,
): Promise<Answer> {
  try {
    return await create(request);
  } catch (error) {
    const status = error instanceof OpenAI.APIError ? (error.status as number | undefined) : null;
    if (!status || OTHER_REASONS.has(status) || !request.messages.some(hasPicture)) throw error;
    const answer = await create({ ...request, messages: request.messages.map(withoutPictures) });
    if (status < 500 || ABOUT_PICTURES.test(String(error))) onRefused(status);
    return answer;
  }
}

const isPicture = ({ type }: { type: string }): boolean => type === 'image_url';

const hasPicture = ({ content }: Message): boolean =>
  Array.isArray(content) && content.some(isPicture);

function withoutPictures(message: Message): Message {
  if (message.role !== 'user' || !hasPicture(message)) return message;
  const parts = message.content as OpenAI.ChatCompletionContentPart[];
  // Some servers know text only, and no parts.
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return { ...message, content: texts.join('\n') };
}

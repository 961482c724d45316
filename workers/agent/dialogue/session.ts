import { llm, voice } from '@livekit/agents';
import type { CallBrief } from '#protocol/call-brief.ts';
import type { CallBudget } from '../call-budget.ts';
import type { CallControl } from '../call-control.ts';
import { modelOf } from './model.ts';
import { Responder } from './responder.ts';

/** A model may be silent before or in its answer: it may reason, or use tools of its own. */
const LONGEST_PAUSE_MS = 10 * 60_000;
const LLM_TRIES = { maxRetry: 1, retryIntervalMs: 500, timeoutMs: 10_000 };

/** The agent's language model, or the built-in responder. */
const answerer = (
  brief: CallBrief,
  control: Pick<CallControl, 'passages'>,
  budget: Pick<CallBudget, 'add'>,
  onPictureRefused: (status: number) => void,
): llm.LLM =>
  brief.llm
    ? modelOf(brief.llm, budget, onPictureRefused)
    : new Responder({
        ...brief,
        passages: async (question) => (brief.hasKnowledge ? control.passages(question) : []),
      });

export function openSession(
  brief: CallBrief,
  control: Pick<CallControl, 'passages'>,
  budget: Pick<CallBudget, 'add'>,
  onPictureRefused: (status: number) => void,
): voice.AgentSession {
  return new voice.AgentSession({
    llm: answerer(brief, control, budget, onPictureRefused),
    // `Listener` hears the user and tells when a turn is over.
    vad: null,
    turnHandling: { turnDetection: 'manual' },
    // By default, speech that pauses longer than 10 s is cut off, and counts as spoken.
    ttsReadIdleTimeout: LONGEST_PAUSE_MS,
    forwardAudioIdleTimeout: LONGEST_PAUSE_MS,
    // `speakText` reads markup, tables too.
    ttsTextTransforms: null,
    userAwayTimeout: null,
    connOptions: {
      llmConnOptions: LLM_TRIES,
      // A temporary failure of the model must not end the call.
      maxUnrecoverableErrors: Number.MAX_SAFE_INTEGER,
    },
  });
}

export function historyOf({ lines }: CallBrief): llm.ChatContext {
  const history = llm.ChatContext.empty();
  for (const { sender, text } of lines) history.addMessage(messageOf(sender, text));
  return history;
}

export const messageOf = (sender: 'ai' | 'user', content: string) =>
  ({ role: sender === 'ai' ? 'assistant' : 'user', content }) as const;

import type { Agent, ChatService } from './chat-service.ts';
import { pause } from './pause.ts';

const ASK_EVERY_MS = 5_000;
/** After the installation, workers load the model and measure it. */
const TRIES_AFTER = 12;

/** Resolves with the agent when it hears, or with null when it will not hear soon. */
export async function whenHears(
  chat: Pick<ChatService, 'agent'>,
  signal: AbortSignal,
): Promise<Agent | null> {
  for (let triesLeft = TRIES_AFTER; triesLeft > 0; triesLeft -= 1) {
    await pause(ASK_EVERY_MS, signal);
    if (signal.aborted) return null;
    try {
      const agent = await chat.agent();
      if (agent.hears) return agent;
      if (agent.hearsSoon) triesLeft = TRIES_AFTER;
    } catch (error) {
      console.warn('agent not loaded', error);
    }
  }
  return null;
}

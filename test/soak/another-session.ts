import { Conversation } from '../chaos/real/conversation.ts';
import type { SoakStage } from './stage.ts';

/** Opens a session, hears it, and ends it. Returns what went wrong. */
export async function anotherSession(stage: SoakStage): Promise<string[]> {
  try {
    const conversation = await Conversation.open(stage, 'service');
    try {
      await conversation.speak();
      const problems = conversation.problems();
      const answer = await stage.client.call('POST', `/v1/sessions/${conversation.id}/end`, {});
      return answer?.status === 200 ? problems : [...problems, `its end: ${answer?.status}`];
    } finally {
      await conversation.leave();
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

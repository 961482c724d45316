import { initializeLogger, llm } from '@livekit/agents';
import { expect, test } from 'vitest';
import { Responder } from '../../../../workers/agent/dialogue/responder.ts';
import { messageOf } from '../../../../workers/agent/dialogue/session.ts';

initializeLogger({ pretty: false, level: 'silent' });

const agent = {
  agentName: 'Nora',
  systemPrompt:
    'You are kind. The shop is closed on Sundays and open on Mondays from nine to five.',
  language: 'en',
  hasKnowledge: false,
  passages: async () => [],
  clock: { now: () => new Date(2026, 10, 30, 20, 7).getTime() },
};

async function answerAfter(...lines: ['ai' | 'user', string][]): Promise<string> {
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'system', content: 'Instructions.' });
  for (const [sender, text] of lines) chatCtx.addMessage(messageOf(sender, text));
  let answer = '';
  for await (const { delta } of new Responder(agent).chat({ chatCtx }))
    answer += delta?.content ?? '';
  return answer;
}

test('the built-in responder answers from the prompt', async () => {
  expect(await answerAfter(['user', 'Are you open on Sunday?'])).toMatch(/^The shop is closed/);
});

test('the built-in responder knows the conversation and the time', async () => {
  const refusal = await answerAfter(['user', 'Do you sell lamps?']);

  expect(refusal).toContain('without a language model');
  expect(
    await answerAfter(['user', 'Do you sell lamps?'], ['ai', refusal], ['user', 'And cakes?']),
  ).not.toContain('without a language model');
  expect(await answerAfter(['ai', 'Hi.'], ['user', 'What time is it?'])).toContain('8:07');
});

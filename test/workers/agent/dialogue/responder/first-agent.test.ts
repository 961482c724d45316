import { expect, test } from 'vitest';
import { makeFirstAgent } from '../../../../../src/calls/first-agent.ts';
import type { AgentRecords } from '../../../../../src/records/agents/agents.ts';
import { repliesOf } from './asking.ts';

async function promptOfFirstAgent(): Promise<string | null> {
  let prompt: string | null = null;
  const insert: AgentRecords['insert'] = async ({ systemPrompt }) => {
    prompt = systemPrompt;
  };
  const avatar = { id: 'nora', name: 'Nora' };
  await makeFirstAgent({ agents: { insert }, avatar, clock: { now: () => 0 } }, 'account');
  return prompt;
}

test.each([
  ['What is Troupe?', /^Troupe is a service that gives voice agents a face/],
  ['How does my agent get a face?', /^A LiveKit agent gets a face with one address/],
  ['Does it work with Pipecat?', /^A Pipecat bot gets a face/],
  ['How do I make an avatar?', /An avatar of your own is made from a photo/],
  ['What does it cost?', /The licence is Apache 2.0, so it costs nothing but the machines/],
  ['Is Troupe free?', /^Troupe is free and open source/],
  ['Does it need a GPU?', /It needs no GPU/],
  ['What languages do you speak?', /speaks English/],
  ['Who are you?', /^I am Nora, an AI avatar/],
  ['How are you?', /^I am well/],
  ['Hi!', /^Hello, I am Nora/],
  ['Can you hear me?', /^Yes/],
  ['thanks', /welcome/],
  ['bye', /Goodbye/],
  ['What is the capital of France?', /^Sorry, I do not know that.*I know about Troupe/],
  ['When are you open?', /^Sorry, I do not know that/],
])('a new installation answers: %s', async (asked, expected) => {
  const prompt = await promptOfFirstAgent();

  expect((await repliesOf({ prompt }, [asked]))[0]).toMatch(expected);
});

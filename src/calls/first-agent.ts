/* The agent that a new installation begins with: `/` talks with it. */
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { FIRST_AGENT_ROLE } from '#protocol/first-agent.ts';
import type { AgentRecords } from '../records/agents/agents.ts';
import { DEFAULT_SETTINGS } from '../records/agents/agent-settings.ts';

type FirstAgentParts = {
  agents: Pick<AgentRecords, 'insert'>;
  /** Its face, and its name. */
  avatar: { id: string; name: string };
  clock: Pick<Clock, 'now'>;
};

export async function makeFirstAgent(
  { agents, avatar, clock }: FirstAgentParts,
  accountId: string,
): Promise<void> {
  await agents.insert({
    ...DEFAULT_SETTINGS,
    id: newRecordId(),
    accountId,
    name: avatar.name,
    avatarId: avatar.id,
    systemPrompt: PROMPT,
    greeting: `Hello, I am ${avatar.name}. I run on this machine. Ask me what Troupe is, or how your agent gets a face.`,
    isPrivate: false,
    createdAt: clock.now(),
  });
}

/**
 * Without a language model, an agent answers in these sentences, and offers the headings.
 * Recognisers write the name as "Troop".
 */
const PROMPT = `${FIRST_AGENT_ROLE} Answer from these facts, and say so when they do not answer the question.

## Troupe
Troupe is a service that gives voice agents a face: an agent speaks, and Troupe shows a talking person, in time with the voice.
Troupe runs on machines of your own. It needs no GPU, because plain processors without a graphics card are enough.
Troupe is free and open source. The licence is Apache 2.0, so it costs nothing but the machines that it runs on.
More workers on more machines carry more conversations at the same time.

### What is Troop?
Troupe, written with a u, gives voice agents a face: a talking person, in time with the voice of the agent.

## Faces for agents
A LiveKit agent gets a face with one address: point its avatar plugin at this service, as the documentation shows under LiveKit agent.
A Pipecat bot gets a face in the same way, over a websocket.
A new agent is made in the console, under Agents, and needs a name and an avatar.
An avatar of your own is made from a photo in the console, under Avatars, in a minute or two.
A website shows an agent with one line of code, which the console prints under Embed.

## Hearing and thinking
An agent hears English some minutes after the first start, when its speech recognition is installed, and reads typed text until then.
An agent thinks for itself once a language model is set up, and answers in the words of its files and instructions until then.
Knowledge files are texts and PDFs that an agent answers from, and they are uploaded in the console.

## Voices and languages
The voice that comes with Troupe speaks English, and other languages need a speech endpoint.`;

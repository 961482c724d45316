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

/** Without a language model, an agent quotes the sentences that fit a question. */
const PROMPT = `${FIRST_AGENT_ROLE} Answer from these facts, and say so when they do not answer the question.

Troupe is a service that gives voice agents a face: an agent speaks, and Troupe shows a talking person, in time with the voice.
It runs on machines of your own, on plain processors without a graphics card.
The licence is Apache 2.0, so Troupe costs nothing but the machines.
A LiveKit agent gets a face with one address: point its avatar plugin at this service, as the documentation shows under LiveKit agent.
A Pipecat bot gets a face in the same way, over a websocket.
A new agent is made in the console, under Agents, and needs a name and an avatar.
A photo becomes an avatar of your own in the console, under Avatars, in a minute or two.
Knowledge files are texts and PDFs that an agent answers from, and they are uploaded in the console.
An agent hears a microphone once speech recognition is set up, and reads typed text until then.
An agent thinks for itself once a language model is set up, and quotes its files and instructions until then.
The voice that comes with Troupe speaks English, and other languages need a speech endpoint.
A website shows an agent with one line of code, which the console prints under Embed.
More workers on more machines carry more conversations at the same time.`;

import type { Agent } from './call/chat.ts';

/** Who it is, and what it is: whoever meets an AI must be told so. */
export function AgentTitle({ agent }: { agent: Agent }) {
  return (
    <div className="agent-title">
      <h1>{agent.name}</h1>
      {agent.hasAiLabel && <p className="ai-label">AI avatar</p>}
    </div>
  );
}

import type { Agent } from '../call/connection/chat-service.ts';

/** Name of the agent, with the AI label that the law asks for. */
export function AgentTitle({ agent }: { agent: Agent }) {
  return (
    <div className="agent-title">
      <h1>{agent.name}</h1>
      {agent.hasAiLabel && <p className="ai-label">AI avatar</p>}
    </div>
  );
}

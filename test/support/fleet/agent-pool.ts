/** Agents that hold one conversation at a time. */
export class AgentPool<Agent> {
  readonly #free: Agent[];
  readonly #waiting: ((agent: Agent) => void)[] = [];

  constructor(agents: Agent[]) {
    this.#free = agents;
  }

  /** Runs `converse` with a free agent, waiting for one if needed. */
  async with(converse: (agent: Agent) => Promise<void>): Promise<void> {
    const agent =
      this.#free.pop() ?? (await new Promise<Agent>((resolve) => this.#waiting.push(resolve)));
    try {
      await converse(agent);
    } finally {
      const takeAgent = this.#waiting.shift();
      if (takeAgent) takeAgent(agent);
      else this.#free.push(agent);
    }
  }
}

import { Fault } from '../../../src/errors.ts';
import type { AgentRooms, Dispatch } from '../../../src/rooms/agent-rooms.ts';

/** A media server double for rooms of the playground. */
export class FakeAgentRooms implements AgentRooms {
  requests: Dispatch[] | null = [];
  isAnswering = true;
  readonly closed: string[] = [];
  readonly #names = new Map<string, string>();

  async open(accountId: string, agentName: string) {
    this.#check();
    const name = `playground-${this.#names.size}`;
    this.#names.set(name, accountId);
    this.requests = [{ agentName, at: 0, jobs: [] }];
    return { url: 'wss://media.example', name, token: `token of ${name}` };
  }

  isOf(accountId: string, name: string) {
    return this.#names.get(name) === accountId;
  }

  async dispatches() {
    this.#check();
    return this.requests;
  }

  async dispatch(_name: string, agentName: string) {
    this.#check();
    this.requests?.push({ agentName, at: 1, jobs: [] });
  }

  async close(name: string) {
    this.closed.push(name);
  }

  #check() {
    if (!this.isAnswering) throw new Fault('at_capacity', { detail: 'The media server is away.' });
  }
}

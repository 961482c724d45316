import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { roomToken } from '../../stage/room-token.ts';
import { mediaServerEnv } from '../processes/media-server.ts';
import type { RunningService } from '../processes/service.ts';

const folder = fileURLToPath(new URL('../../clients', import.meta.url));

export const isNodePluginInstalled = existsSync(
  `${folder}/node/node_modules/@livekit/agents-plugin-bey`,
);

/** `avatar`: the identity that the plugin gives its avatar. */
type NodePlugin = { folder: string; avatar: string; settings: { url: string; key: string } };

const PUBLISHED: NodePlugin = {
  folder: 'node',
  avatar: 'bey-avatar-agent',
  settings: { url: 'BEY_API_URL', key: 'BEY_API_KEY' },
};

export const OWN_PLUGIN: NodePlugin = {
  folder: 'livekit-node',
  avatar: 'troupe-avatar-agent',
  settings: { url: 'TROUPE_URL', key: 'TROUPE_API_KEY' },
};

export type AgentEvent =
  | { type: 'ready' }
  | { type: 'said'; interrupted: boolean }
  | { type: 'playback_finished'; playback_position: number; interrupted: boolean };
type Command = { say: number } | { interrupt: true } | { leave: true };

/** A voice agent with an avatar plugin, in its own process and room, with its avatar requested. */
export class NodeAgent {
  readonly room = `call-${Math.random().toString(36).slice(2)}`;
  readonly #service: RunningService;
  readonly #plugin: NodePlugin;
  readonly #events: AgentEvent[] = [];
  #process: ChildProcess | null = null;
  #output = '';

  constructor(service: RunningService, plugin = PUBLISHED) {
    this.#service = service;
    this.#plugin = plugin;
  }

  /** The name that the published plugin gives its avatar. */
  static readonly avatar = PUBLISHED.avatar;

  async token(identity: string, kind?: 'agent'): Promise<string> {
    return roomToken(this.#service.mediaServer, this.room, identity, kind && { kind });
  }

  /** Resolves when the avatar's session is accepted. The agent holds its speech back until the avatar is in the room. */
  async start(): Promise<void> {
    const { address, apiKey, mediaServer } = this.#service;
    const { settings } = this.#plugin;
    await this.#service.hasFreeSlot();
    const agent = spawn(process.execPath, ['agent.mjs'], {
      cwd: `${folder}/${this.#plugin.folder}`,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        [settings.url]: address,
        [settings.key]: apiKey,
        ...mediaServerEnv(mediaServer),
        AGENT_TOKEN: await this.token('agent', 'agent'),
      },
    });
    this.#process = agent;
    for (const stream of [agent.stdout, agent.stderr]) {
      stream?.on('data', (text) => (this.#output += text));
    }
    agent.on('message', (event: AgentEvent) => this.#events.push(event));
    await this.next('ready');
  }

  tell(command: Command): void {
    this.#process?.send(command);
  }

  /** The next event of this kind. */
  async next<Type extends AgentEvent['type']>(
    type: Type,
  ): Promise<Extract<AgentEvent, { type: Type }>> {
    for (;;) {
      const at = this.#events.findIndex((event) => event.type === type);
      if (at >= 0) {
        return this.#events.splice(at, 1)[0] as Extract<AgentEvent, { type: Type }>;
      }
      await this.#happening();
    }
  }

  /** Its log. */
  get output(): string {
    return this.#output;
  }

  async leave(): Promise<void> {
    const agent = this.#process;
    if (!agent || agent.exitCode !== null || agent.signalCode !== null) return;
    const exit = once(agent, 'exit');
    this.tell({ leave: true });
    await exit;
  }

  async #happening(): Promise<void> {
    const agent = this.#process;
    if (!agent || agent.exitCode !== null)
      throw new Error(`the agent has exited:\n${this.#output}`);
    const stop = new AbortController();
    const { signal } = stop;
    await Promise.race([once(agent, 'message', { signal }), once(agent, 'exit', { signal })]);
    stop.abort();
  }
}

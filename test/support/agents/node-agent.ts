import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { roomToken } from '../../stage/room-token.ts';
import { AgentProcess } from '../processes/agent-process.ts';
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
  #process: AgentProcess | null = null;

  constructor(service: RunningService, plugin = PUBLISHED) {
    this.#service = service;
    this.#plugin = plugin;
  }

  /** The name that the published plugin gives its avatar. */
  static readonly avatar = PUBLISHED.avatar;

  async token(identity: string, kind?: 'agent'): Promise<string> {
    return roomToken(this.#service.mediaServer, this.room, identity, kind && { kind });
  }

  /** Resolves when the avatar's session is accepted. The agent speaks once it is in the room. */
  async start(): Promise<void> {
    const { address, apiKey, mediaServer } = this.#service;
    const { settings } = this.#plugin;
    await this.#service.hasFreeSlot();
    this.#process = new AgentProcess(process.execPath, ['agent.mjs'], {
      cwd: `${folder}/${this.#plugin.folder}`,
      takesCommands: true,
      env: {
        ...process.env,
        [settings.url]: address,
        [settings.key]: apiKey,
        ...mediaServerEnv(mediaServer),
        AGENT_TOKEN: await this.token('agent', 'agent'),
      },
    });
    await this.next('ready');
  }

  tell(command: Command): void {
    this.#process?.tell(command);
  }

  /** The next event of this kind. */
  async next<Type extends AgentEvent['type']>(type: Type) {
    return (await this.#process!.next(type)) as Extract<AgentEvent, { type: Type }>;
  }

  async leave(): Promise<void> {
    if (!this.#process || this.#process.isOver) return;
    this.tell({ leave: true });
    await this.#process.exited;
  }
}

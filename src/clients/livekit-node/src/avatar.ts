import { randomUUID } from 'node:crypto';
import {
  APIConnectionError,
  APIStatusError,
  DEFAULT_API_CONNECT_OPTIONS,
  getJobContext,
  intervalForRetry,
  log,
  voice,
  type APIConnectOptions,
} from '@livekit/agents';
import { TrackKind, type Room } from '@livekit/rtc-node';
import { AccessToken } from 'livekit-server-sdk';

const ATTRIBUTE_PUBLISH_ON_BEHALF = 'lk.publish_on_behalf';
const DEFAULT_API_URL = 'http://127.0.0.1:8080';
const DEFAULT_AVATAR_ID = 'nora';
const AVATAR_AGENT_IDENTITY = 'troupe-avatar-agent';
const AVATAR_AGENT_NAME = 'troupe-avatar-agent';

/** Exception thrown when there are errors with Troupe. */
export class TroupeException extends Error {
  override readonly name = 'TroupeException';
}

/** Options for configuring an AvatarSession. */
export interface AvatarSessionOptions {
  /** Id or alias of an avatar. Defaults to TROUPE_AVATAR_ID, or `nora`. */
  avatarId?: string;
  /** Address of the service. Defaults to TROUPE_URL, or http://127.0.0.1:8080. */
  apiUrl?: string;
  /** API key of the service. Defaults to TROUPE_API_KEY. */
  apiKey?: string;
  /** The identity of the avatar participant in the room. Defaults to `troupe-avatar-agent`. */
  avatarParticipantIdentity?: string;
  /** The name of the avatar participant in the room. Defaults to `troupe-avatar-agent`. */
  avatarParticipantName?: string;
  /** Timeout and retries of the request for the avatar. */
  connOptions?: APIConnectOptions;
}

/** Options for starting an avatar session. They fall back to environment variables. */
export interface StartOptions {
  livekitUrl?: string;
  livekitApiKey?: string;
  livekitApiSecret?: string;
}

/** A Troupe avatar session. */
export class AvatarSession extends voice.AvatarSession {
  readonly #avatarId: string;
  readonly #apiUrl: string;
  readonly #apiKey: string;
  readonly #identity: string;
  readonly #name: string;
  readonly #connOptions: APIConnectOptions;
  #sessionId: string | null = null;

  constructor(options: AvatarSessionOptions = {}) {
    super();
    const { env } = process;
    this.#avatarId = options.avatarId || env['TROUPE_AVATAR_ID'] || DEFAULT_AVATAR_ID;
    this.#apiUrl = (options.apiUrl || env['TROUPE_URL'] || DEFAULT_API_URL).replace(/\/+$/, '');
    this.#apiKey = options.apiKey || env['TROUPE_API_KEY'] || '';
    if (!this.#apiKey) {
      throw new TroupeException(
        'The API key must be set either by passing apiKey or by the environment variable TROUPE_API_KEY',
      );
    }
    this.#identity = options.avatarParticipantIdentity || AVATAR_AGENT_IDENTITY;
    this.#name = options.avatarParticipantName || AVATAR_AGENT_NAME;
    this.#connOptions = options.connOptions ?? DEFAULT_API_CONNECT_OPTIONS;
  }

  override get avatarIdentity(): string {
    return this.#identity;
  }

  override get provider(): string {
    return 'troupe';
  }

  /** The id of the session in Troupe's API, set by `start`. */
  get sessionId(): string | null {
    return this.#sessionId;
  }

  /** Asks for the avatar and sends it the agent's speech. The room must be connected. */
  override async start(
    agentSession: voice.AgentSession,
    room: Room,
    options: StartOptions = {},
  ): Promise<void> {
    await super.start(agentSession, room);

    const { env } = process;
    const livekitUrl = options.livekitUrl || env['LIVEKIT_URL'];
    const livekitApiKey = options.livekitApiKey || env['LIVEKIT_API_KEY'];
    const livekitApiSecret = options.livekitApiSecret || env['LIVEKIT_API_SECRET'];
    if (!livekitUrl || !livekitApiKey || !livekitApiSecret) {
      throw new TroupeException(
        'livekitUrl, livekitApiKey, and livekitApiSecret must be set by arguments or environment variables',
      );
    }

    const token = new AccessToken(livekitApiKey, livekitApiSecret, {
      identity: this.#identity,
      name: this.#name,
      // allow the avatar agent to publish audio and video on behalf of your local agent
      attributes: { [ATTRIBUTE_PUBLISH_ON_BEHALF]: agentIdentity(room) },
    });
    token.kind = 'agent';
    token.addGrant({ roomJoin: true, ...(room.name !== undefined && { room: room.name }) });

    log().debug({ plugin: 'troupe' }, 'starting avatar session');
    this.#sessionId = await this.#openSession(livekitUrl, await token.toJwt());

    // At the rate of the agent's voice: the service takes any.
    agentSession.output.audio = new voice.DataStreamAudioOutput({
      room,
      destinationIdentity: this.#identity,
      waitRemoteTrack: TrackKind.KIND_VIDEO,
      waitPlaybackStart: true,
    });
  }

  /** The id of the session. The service answers every try with the same one. */
  async #openSession(url: string, token: string): Promise<string> {
    const { maxRetry, timeoutMs } = this.#connOptions;
    const request = {
      method: 'POST',
      headers: {
        'x-api-key': this.#apiKey,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ transport: 'livekit', avatar_id: this.#avatarId, url, token }),
    };
    for (let attempt = 0; attempt <= maxRetry; attempt += 1) {
      try {
        const response = await fetch(`${this.#apiUrl}/v1/sessions`, {
          ...request,
          // Following one would send the key and the room's token elsewhere.
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
        });
        if (isRedirect(response)) throw redirected(response);
        if (response.ok) return ((await response.json()) as { id: string }).id;
        throw new APIStatusError({
          message: 'Server returned an error',
          options: { statusCode: response.status, body: { error: await response.text() } },
        });
      } catch (error) {
        if (error instanceof TroupeException) throw error;
        // A 4xx such as a bad API key will fail the same way every time.
        if (error instanceof APIStatusError && !error.retryable) throw error;
        log().warn(
          { plugin: 'troupe', attempt: attempt + 1, error },
          'failed to call the troupe api',
        );
      }
      if (attempt < maxRetry) await pause(intervalForRetry(this.#connOptions, attempt));
    }
    throw new APIConnectionError({
      message: 'Failed to start Troupe Avatar Session after all retries',
    });
  }
}

function agentIdentity(room: Room): string {
  const identity = getJobContext(false)?.agent?.identity || room.localParticipant?.identity;
  if (!identity) throw new TroupeException('failed to get local participant identity');
  return identity;
}

const isRedirect = ({ status }: Response): boolean => status >= 300 && status < 400;

const redirected = ({ headers }: Response): TroupeException =>
  new TroupeException(
    `The service redirects to ${headers.get('location') ?? 'another address'}. Set apiUrl to its final address.`,
  );

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

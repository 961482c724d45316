/*
 * What the published plugins send, word for word, but for the room, the key and the avatar, which each test gives. They are PyPI's
 * livekit-plugins-* unless said.
 */
import type { InjectOptions } from 'fastify';
import type { RoomSignal } from '#shared/room-signals.ts';

export type Given = {
  url: string;
  /** For the room. */
  token: string;
  key: string;
  avatar: string;
  /** Answers of the calls before. */
  earlier: Record<string, string>[];
};

export type Sent = Required<Pick<InjectOptions, 'url'>> &
  Pick<InjectOptions, 'method' | 'headers' | 'payload'>;

export type Recorded = {
  of: string;
  /** The calls that open a session, in order. */
  calls: ((given: Given) => Sent)[];
  /** Under which name the last one's answer holds the session's id. */
  id: string;
  /** What else it holds. */
  answer?: Record<string, unknown>;
  unused?: string[];
  maxLengthMinutes?: number;
  signals?: RoomSignal[];
  /** The call at the end. */
  end?: (given: Given, id: string) => Sent;
};

const json = (body: object, headers: Record<string, string>) => ({
  headers: { 'content-type': 'application/json', ...headers },
  payload: JSON.stringify(body),
});

const BOUNDARY = '4b1f4c4e619642b499fdea9c03038550';

type Part = { name: string; type?: string; file?: string; value: string };

/** As aiohttp writes forms that hold a file. */
export const multipart = (parts: Part[], headers: Record<string, string>) => ({
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
  payload: Buffer.from(
    `${parts
      .map(({ name, type = 'text/plain; charset=utf-8', file, value }) => {
        const disposition = `form-data; name="${name}"${file ? `; filename="${file}"` : ''}`;
        return `--${BOUNDARY}\r\nContent-Type: ${type}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n`;
      })
      .join('')}--${BOUNDARY}--\r\n`,
    'latin1',
  ),
});

const png = { type: 'image/png', value: '\x89PNG\r\n\x1a\n\0\0pixels' };
const jpeg = { type: 'image/jpeg', value: '\xff\xd8\xff\xe0\0\x10JFIF pixels' };

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const anamPersona = (avatar: string) => ({
  type: 'ephemeral',
  name: 'Cara',
  avatarId: avatar,
  llmId: 'CUSTOMER_CLIENT_V1',
});

const lemonslice = ({ url, token, avatar }: Given) => ({
  transport_type: 'livekit',
  properties: { livekit_url: url, livekit_token: token, livekit_session_id: 'RM_x7dPqoGCrcJn' },
  agent_id: avatar,
});

const emotions: RoomSignal[] = [
  {
    topic: 'app_messages',
    means: 'emotion',
    how: {
      format: 'json',
      match: { event_type: 'conversation.set_emotion' },
      value: 'properties.emotion',
    },
  },
];

export const RECORDED: Recorded[] = [
  {
    of: 'tavus 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/tavus/conversations',
        ...json(
          {
            pal_id: 'pb87e71797da',
            properties: { livekit_ws_url: url, livekit_room_token: token },
            face_id: avatar,
            conversation_name: 'lk_conversation_5fc2a4d1e5a0',
          },
          { 'x-api-key': key },
        ),
      }),
    ],
    id: 'conversation_id',
    signals: emotions,
  },
  {
    of: 'tavus before 2026-07',
    calls: [
      ({ key }) => ({
        url: '/compat/tavus/personas',
        ...json(
          {
            persona_name: 'lk_persona_3c1ad7a1d1f5',
            pipeline_mode: 'echo',
            layers: { transport: { transport_type: 'livekit' } },
          },
          { 'x-api-key': key },
        ),
      }),
      ({ url, token, key, avatar, earlier }) => ({
        url: '/compat/tavus/conversations',
        ...json(
          {
            replica_id: avatar,
            persona_id: earlier[0]?.['persona_id'],
            properties: { livekit_ws_url: url, livekit_room_token: token },
            conversation_name: 'lk_conversation_5fc2a4d1e5a0',
          },
          { 'x-api-key': key },
        ),
      }),
    ],
    id: 'conversation_id',
    signals: emotions,
  },
  {
    of: 'anam 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/anam/v1/engine/session',
        ...json(
          {
            personaConfig: {
              ...anamPersona(avatar),
              avatarModel: 'cara-3',
              directorNotes: { expressivity: 0.5 },
            },
            environment: { livekitUrl: url, livekitToken: token },
            sessionOptions: { videoWidth: 720, videoHeight: 480, showAIAvatarDisclosure: true },
          },
          bearer(key),
        ),
      }),
    ],
    id: 'sessionId',
    unused: ['personaConfig.avatarModel', 'personaConfig.directorNotes', 'sessionOptions'],
  },
  {
    of: 'anam 1.8.0',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/anam/v1/auth/session-token',
        ...json(
          {
            personaConfig: anamPersona(avatar),
            environment: { livekitUrl: url, livekitToken: token },
          },
          bearer(key),
        ),
      }),
      ({ earlier }) => ({
        url: '/compat/anam/v1/engine/session',
        ...json({}, bearer(earlier[0]?.['sessionToken'] ?? '')),
      }),
    ],
    id: 'sessionId',
  },
  {
    of: 'npm @livekit/agents-plugin-anam 1.5.0',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/anam/v1/auth/session-token',
        ...json(
          {
            personaConfig: { personaId: avatar },
            environment: { livekitUrl: url, livekitToken: token },
            sessionOptions: { videoWidth: 720, videoHeight: 480 },
          },
          bearer(key),
        ),
      }),
      ({ earlier }) => ({
        url: '/compat/anam/v1/engine/session',
        ...json({}, bearer(earlier[0]?.['sessionToken'] ?? '')),
      }),
    ],
    id: 'sessionId',
    unused: ['sessionOptions'],
  },
  {
    of: 'simli 1.8.9',
    calls: [
      ({ key, avatar }) => ({
        url: '/compat/simli/compose/token',
        ...json(
          {
            faceId: `${avatar}/92f24a0c-f046-45df-8df0-af7449c04571`,
            handleSilence: true,
            maxSessionLength: 600,
            maxIdleTime: 30,
          },
          { 'x-simli-api-key': key },
        ),
      }),
      ({ url, token, earlier }) => ({
        url: '/compat/simli/integrations/livekit/agents',
        ...json(
          {
            session_token: earlier[0]?.['session_token'],
            livekit_token: token,
            livekit_url: url,
          },
          {},
        ),
      }),
    ],
    id: 'session_id',
    unused: ['maxIdleTime'],
    maxLengthMinutes: 10,
  },
  {
    of: 'simli 1.4.2',
    calls: [
      ({ key, avatar }) => ({
        url: '/compat/simli/startAudioToVideoSession',
        ...json(
          {
            apiKey: key,
            faceId: `${avatar}/92f24a0c-f046-45df-8df0-af7449c04571`,
            syncAudio: true,
            handleSilence: true,
            maxSessionLength: 90,
            maxIdleTime: 30,
          },
          {},
        ),
      }),
      ({ url, token, earlier }) => ({
        url: '/compat/simli/StartLivekitAgentsSession',
        ...json(
          {
            session_token: earlier[0]?.['session_token'],
            livekit_token: token,
            livekit_url: url,
          },
          {},
        ),
      }),
    ],
    id: 'session_id',
    unused: ['maxIdleTime'],
    maxLengthMinutes: 1.5,
  },
  {
    of: 'lemonslice 1.8.9',
    calls: [
      (given) => ({
        url: '/compat/lemonslice',
        ...json(
          {
            ...lemonslice(given),
            agent_prompt: 'Smile a lot.',
            agent_idle_prompt: 'Look around.',
            idle_timeout: 60,
            audio_sample_rate: 24_000,
            model: 'v2',
            response_done_timeout: 2,
          },
          { 'X-API-Key': given.key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['agent_prompt', 'agent_idle_prompt', 'idle_timeout', 'model', 'response_done_timeout'],
  },
  {
    of: 'lemonslice 1.8.9 with a picture',
    calls: [
      (given) => ({
        url: '/compat/lemonslice',
        ...multipart(
          [
            {
              name: 'payload',
              type: 'application/json',
              value: JSON.stringify(lemonslice(given)),
            },
            { name: 'image', file: 'image.png', ...png },
          ],
          { 'X-API-Key': given.key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['image'],
  },
  {
    of: 'bithuman 1.8.10',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/bithuman',
        ...json(
          {
            livekit_url: url,
            livekit_token: token,
            room_name: 'their-room',
            mode: 'cpu',
            model: 'essence-2',
            agent_id: avatar,
          },
          { 'api-secret': key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['model'],
  },
  {
    of: 'bithuman 1.8.10 with a picture',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/bithuman?async=true',
        ...multipart(
          [
            { name: 'livekit_url', value: url },
            { name: 'livekit_token', value: token },
            { name: 'room_name', value: 'their-room' },
            { name: 'model', value: 'expression' },
            { name: 'async_mode', value: 'true' },
            { name: 'avatar_image', file: 'avatar.jpg', ...jpeg },
            { name: 'avatar_id', value: avatar },
          ],
          bearer(key),
        ),
      }),
    ],
    id: 'session_id',
    unused: ['model', 'avatar_image'],
  },
  {
    of: 'runway 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/runway/v1/realtime_sessions',
        ...json(
          {
            model: 'gwm1_avatars',
            avatar: { type: 'runway-preset', presetId: avatar },
            livekit: { url, token, roomName: 'their-room', agentIdentity: 'agent-AJ_1' },
            maxDuration: 300,
          },
          { ...bearer(key), 'X-Runway-Version': '2024-11-06' },
        ),
      }),
    ],
    id: 'id',
    maxLengthMinutes: 5,
    signals: [{ topic: null, means: 'end', how: { format: 'json', match: { type: 'END_CALL' } } }],
    end: ({ key }, id) => ({
      method: 'DELETE',
      url: `/compat/runway/v1/realtime_sessions/${id}`,
      headers: { ...bearer(key), 'X-Runway-Version': '2024-11-06' },
    }),
  },
  {
    of: 'did 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: `/compat/did/v2/agents/${avatar}/sessions/join`,
        ...json(
          {
            transport: {
              provider: 'livekit',
              server_url: url,
              token,
              room_name: 'their-room',
            },
            audio_config: { sample_rate: 24_000 },
          },
          { authorization: `Basic ${key}` },
        ),
      }),
    ],
    id: 'id',
  },
  {
    of: 'synthesia 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/synthesia/api/interactive-avatars/sessions',
        ...json(
          { avatarIds: [`av_${avatar}`, 'av_other'], livekitUrl: url, livekitToken: token },
          { authorization: key },
        ),
      }),
    ],
    id: 'id',
    unused: ['avatarIds.1'],
  },
  {
    of: 'protoface 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/protoface/v1/sessions',
        ...json(
          {
            avatar_id: avatar,
            transport: {
              type: 'livekit',
              url,
              room_name: 'their-room',
              worker_token: token,
              worker_identity: 'protoface-avatar-agent',
              audio_source: 'data_stream',
            },
            max_duration_seconds: 600,
          },
          bearer(key),
        ),
      }),
    ],
    id: 'id',
    maxLengthMinutes: 10,
    end: ({ key }, id) => ({
      method: 'POST',
      url: `/compat/protoface/v1/sessions/${id}/end`,
      headers: {
        ...bearer(key),
        'content-type': 'application/octet-stream',
        'content-length': '0',
      },
    }),
  },
  {
    of: 'keyframe 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/keyframe/v1/sessions/plugins/livekit',
        ...json(
          {
            room_name: 'their-room',
            livekit_url: url,
            livekit_token: token,
            source_participant_identity: 'agent-AJ_1',
            persona_slug: avatar,
          },
          bearer(key),
        ),
      }),
    ],
    id: 'reservation_id',
    signals: [
      { topic: 'lk.control', means: 'emotion', how: { format: 'text', prefix: 'emotion:' } },
    ],
  },
  {
    of: 'boson-avatar 1.8.9',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/boson_avatar/sessions',
        ...json(
          {
            avatar_id: avatar,
            transport: {
              type: 'livekit',
              url,
              room_name: 'their-room',
              participant_token: token,
              participant_identity: 'boson-avatar-agent',
              publisher_identity: 'agent-AJ_1',
              audio_source: 'data_stream',
            },
            output: { width: 512, height: 512 },
            max_duration_seconds: 3_600,
          },
          { ...bearer(key), 'Idempotency-Key': '3f4f1bd6-9ac1-5e0e-9d60-2b3a3a5d8a11' },
        ),
      }),
    ],
    id: 'id',
    answer: {
      object: 'avatar.livekit.session',
      status: 'active',
      avatar_identity: 'boson-avatar-agent',
    },
    unused: ['output'],
    maxLengthMinutes: 60,
    end: ({ key }, id) => ({
      method: 'DELETE',
      url: `/compat/boson_avatar/sessions/${id}`,
      headers: bearer(key),
    }),
  },
  {
    of: 'hedra 1.5.1',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/hedra',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': key },
        payload: new URLSearchParams({
          livekit_url: url,
          livekit_token: token,
          avatar_id: avatar,
        }).toString(),
      }),
    ],
    id: 'session_id',
  },
  {
    of: 'hedra 1.5.1 with a picture',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/hedra',
        ...multipart(
          [
            { name: 'livekit_url', value: url },
            { name: 'livekit_token', value: token },
            { name: 'avatar_id', value: avatar },
            { name: 'avatar_image', file: 'avatar.jpg', ...jpeg },
          ],
          { 'x-api-key': key },
        ),
      }),
    ],
    id: 'session_id',
    unused: ['avatar_image'],
  },
];

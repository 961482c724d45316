import { anamPersona, bearer, emotions, json, type Recorded } from './recording.ts';

/** Plugins that open their session with a single JSON body. */
export const ONE_CALL: Recorded[] = [
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
    unused: [
      'personaConfig.avatarModel',
      'personaConfig.directorNotes',
      'sessionOptions.showAIAvatarDisclosure',
    ],
    size: { width: 720, height: 480 },
  },
  {
    of: 'anva 0.1.0',
    calls: [
      ({ url, token, key, avatar }) => ({
        url: '/compat/anva/api/v2/sessions',
        ...json(
          {
            service_mode: 'avatar_only',
            livekit: { url, token },
            avatar_id: avatar,
            max_duration_seconds: 600,
            metadata: { ticket: '7' },
          },
          bearer(key),
        ),
      }),
    ],
    id: 'session_id',
    unused: ['metadata'],
    maxLengthMinutes: 10,
    end: ({ key }, id) => ({
      method: 'DELETE',
      url: `/compat/anva/api/v2/sessions/${id}`,
      headers: bearer(key),
    }),
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
            output: { width: 768, height: 1024 },
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
    maxLengthMinutes: 60,
    size: { width: 768, height: 1024 },
    end: ({ key }, id) => ({
      method: 'DELETE',
      url: `/compat/boson_avatar/sessions/${id}`,
      headers: bearer(key),
    }),
  },
];

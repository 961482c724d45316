import { anamPersona, bearer, emotions, json, type Recorded } from './recording.ts';

/** Plugins that get a token or an id before they open a session. */
export const TWO_CALLS: Recorded[] = [
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
    size: { width: 720, height: 480 },
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
];

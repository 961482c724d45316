import type { Call, VendorAdapter } from '../vendor-adapter.ts';

const face = {
  does: 'prepare',
  avatar: ['faceId'],
  avatarId: (faceAndEmotion) => faceAndEmotion.split('/', 1)[0] ?? '',
  maxSeconds: 'maxSessionLength',
  known: ['handleSilence', 'syncAudio'],
  answer: ({ pass }) => ({ session_token: pass }),
} satisfies Partial<Call>;

const room = {
  does: 'open',
  pass: { field: 'session_token' },
  room: { url: 'livekit_url', token: 'livekit_token' },
  answer: ({ id }) => ({ session_id: id }),
} satisfies Partial<Call>;

export const simli: VendorAdapter = {
  word: 'simli',
  name: 'Simli',
  key: [{ header: 'x-simli-api-key' }],
  calls: [
    { path: '/compose/token', ...face },
    { path: '/integrations/livekit/agents', ...room },
    // Plugins up to 1.4.2.
    { path: '/startAudioToVideoSession', key: [{ field: 'apiKey' }], ...face },
    { path: '/StartLivekitAgentsSession', ...room },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-simli',
      code: 'simli.AvatarSession(api_url="{address}", simli_config=simli.SimliConfig(api_key="YOUR_KEY", face_id="nora"))',
    },
    differs: [
      'The plugin only logs errors and continues without an avatar: check its log when none appears.',
      'The session ends with the agent, not after `max_idle_time` of silence.',
    ],
  },
};

import type { VendorAdapter } from '../vendor-adapter.ts';

export const runway: VendorAdapter = {
  word: 'runway',
  name: 'Runway',
  key: [{ header: 'authorization', scheme: 'Bearer' }],
  calls: [
    {
      does: 'open',
      path: '/v1/realtime_sessions',
      room: { url: 'livekit.url', token: 'livekit.token' },
      avatar: ['avatar.avatarId', 'avatar.presetId'],
      maxSeconds: 'maxDuration',
      known: ['model', 'avatar.type', 'livekit'],
      answer: ({ id }) => ({ id }),
    },
    { does: 'end', method: 'DELETE', path: '/v1/realtime_sessions/:id', session: ':id' },
  ],
  signals: [{ topic: null, means: 'end', how: { format: 'json', match: { type: 'END_CALL' } } }],
  docs: {
    python: {
      package: 'livekit-plugins-runway',
      code: 'runway.AvatarSession(api_url="{address}", api_key="YOUR_KEY", avatar_id="nora")',
    },
    environment: ['RUNWAYML_BASE_URL={address}', 'RUNWAYML_API_SECRET=YOUR_KEY'],
    differs: [],
  },
};

import type { VendorAdapter } from '../vendor-adapter.ts';

export const hedra: VendorAdapter = {
  word: 'hedra',
  name: 'Hedra',
  key: [{ header: 'x-api-key' }],
  calls: [
    {
      does: 'open',
      path: '/',
      picture: ['avatar_image'],
      room: { url: 'livekit_url', token: 'livekit_token' },
      avatar: ['avatar_id'],
      answer: ({ id }) => ({ session_id: id }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-hedra<=1.5.1',
      code: 'hedra.AvatarSession(api_url="{address}", api_key="YOUR_KEY", avatar_id="nora")',
    },
    environment: ['HEDRA_API_URL={address}', 'HEDRA_API_KEY=YOUR_KEY'],
    differs: ['Their service has closed; plugins up to 1.5.1 work here.'],
  },
};

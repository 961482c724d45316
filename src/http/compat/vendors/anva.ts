import type { VendorAdapter } from '../vendor-adapter.ts';

export const anva: VendorAdapter = {
  word: 'anva',
  name: 'Anva',
  key: [{ header: 'authorization', scheme: 'Bearer' }],
  calls: [
    {
      does: 'open',
      path: '/api/v2/sessions',
      room: { url: 'livekit.url', token: 'livekit.token' },
      avatar: ['avatar_id', 'preset_id'],
      maxSeconds: 'max_duration_seconds',
      known: ['service_mode'],
      answer: ({ id }) => ({ session_id: id }),
    },
    { does: 'end', method: 'DELETE', path: '/api/v2/sessions/:id', session: ':id' },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-anva',
      code: 'anva.AvatarSession(api_url="{address}", api_key="YOUR_KEY", avatar_id="nora")',
    },
    environment: ['ANVA_API_URL={address}', 'ANVA_API_KEY=YOUR_KEY'],
    differs: ['`metadata` is accepted and not used.'],
  },
};

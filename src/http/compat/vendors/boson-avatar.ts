import type { VendorAdapter } from '../vendor-adapter.ts';

export const bosonAvatar: VendorAdapter = {
  word: 'boson_avatar',
  name: 'Boson',
  key: [{ header: 'authorization', scheme: 'Bearer' }],
  calls: [
    {
      does: 'open',
      path: '/sessions',
      room: { url: 'transport.url', token: 'transport.participant_token' },
      avatar: ['avatar_id'],
      maxSeconds: 'max_duration_seconds',
      size: { width: 'output.width', height: 'output.height' },
      known: ['transport'],
      answer: ({ id, field }) => ({
        id,
        object: 'avatar.livekit.session',
        status: 'active',
        avatar_identity: field('transport.participant_identity'),
      }),
    },
    { does: 'end', method: 'DELETE', path: '/sessions/:id', session: ':id' },
    {
      does: 'list',
      path: '/avatars',
      answer: (avatars) => ({
        object: 'avatar.list',
        data: avatars.map(({ id, name }) => ({ avatar_id: id, name })),
      }),
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-boson-avatar',
      code: 'boson_avatar.AvatarSession(api_url="{address}", api_key="YOUR_KEY", avatar_id="nora")',
    },
    environment: ['BOSON_AVATAR_API_URL={address}', 'BOSON_API_KEY=YOUR_KEY'],
    differs: ['The plugin requires https unless the address is local.'],
  },
};

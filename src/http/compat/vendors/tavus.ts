import type { VendorAdapter } from '../vendor-adapter.ts';

export const tavus: VendorAdapter = {
  word: 'tavus',
  name: 'Tavus',
  key: [{ header: 'x-api-key' }],
  calls: [
    {
      does: 'open',
      path: '/conversations',
      room: { url: 'properties.livekit_ws_url', token: 'properties.livekit_room_token' },
      avatar: ['face_id', 'replica_id', 'pal_id', 'persona_id'],
      known: ['conversation_name'],
      answer: ({ id }) => ({ conversation_id: id, status: 'active' }),
    },
    // Plugins before 2026-07 create a persona first. Only its replica matters, so its id is the
    // avatar's.
    {
      does: 'prepare',
      path: '/personas',
      known: ['persona_name', 'pipeline_mode', 'layers', 'default_replica_id'],
      answer: ({ field }) => ({ persona_id: field('default_replica_id') || 'persona' }),
    },
  ],
  signals: [
    {
      topic: 'app_messages',
      means: 'emotion',
      how: {
        format: 'json',
        match: { event_type: 'conversation.set_emotion' },
        value: 'properties.emotion',
      },
    },
  ],
  docs: {
    python: {
      package: 'livekit-plugins-tavus',
      code: 'tavus.AvatarSession(api_url="{address}", api_key="YOUR_KEY", face_id="nora")',
    },
    differs: ['Only the face of a PAL or persona is used.'],
  },
};

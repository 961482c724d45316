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
    // Until 2026-07 the plugin makes a persona first. Of ours only the face matters: that is its name.
    {
      does: 'prepare',
      path: '/personas',
      known: ['persona_name', 'pipeline_mode', 'layers', 'default_replica_id'],
      answer: ({ asked }) => ({ persona_id: asked('default_replica_id') || 'persona' }),
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
    differs: ['PALs and personas count for their face only.'],
  },
};

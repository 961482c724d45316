import type { Snippet } from './snippets.ts';

/** Our own plugin, and the avatar interface that LiveKit Agents includes. */
export function ownSnippets(origin: string, avatar: { id: string; name: string }): Snippet[] {
  return [
    {
      name: 'Python',
      note: 'LiveKit Agents with livekit-plugins-troupe, which is in src/clients/livekit-python of Troupe. Nothing else in your agent changes.',
      code: `
+ from livekit.plugins import troupe

  session = AgentSession(...)  # your agent, as it is

+ avatar = troupe.AvatarSession(
+     api_url="${origin}",
+     api_key="YOUR_KEY",
+     avatar_id="${avatar.id}",  # ${avatar.name}
+ )
+ await avatar.start(session, room=ctx.room)
  await session.start(agent=MyAgent(), room=ctx.room)`,
    },
    {
      name: 'Node',
      note: 'LiveKit Agents with @troupe/livekit-plugin, which is in src/clients/livekit-node of Troupe. Nothing else in your agent changes.',
      code: `
+ import * as troupe from '@troupe/livekit-plugin';

  const session = new voice.AgentSession({ ... }); // your agent, as it is

+ const avatar = new troupe.AvatarSession({
+   apiUrl: '${origin}',
+   apiKey: 'YOUR_KEY',
+   avatarId: '${avatar.id}', // ${avatar.name}
+ });
+ await avatar.start(session, ctx.room);
  await session.start({ agent: new MyAgent(), room: ctx.room });`,
    },
    {
      name: 'Without a plugin',
      note: 'The avatar interface that LiveKit Agents includes. It needs no Troupe key. The media server of your agent must be Troupe’s own or listed in INFERENCE_MEDIA_SERVERS.',
      code: `
+ from livekit.agents import inference

  session = AgentSession(...)  # your agent, as it is

+ avatar = inference.AvatarSession(
+     "troupe/${avatar.id}",  # ${avatar.name}
+     base_url="${origin}/compat/inference",
+ )
+ await avatar.start(session, room=ctx.room)
  await session.start(agent=MyAgent(), room=ctx.room)`,
    },
  ];
}

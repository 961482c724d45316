/** Code that connects an agent to this service. Lines to add begin with `+ `. */
export type Snippet = { name: string; note: string; code: string };

export function snippetsFor(origin: string, avatar: { id: string; name: string }): Snippet[] {
  return [
    {
      name: 'Python',
      note: 'LiveKit Agents with livekit-plugins-bey. Nothing else in your agent changes.',
      code: `
  from livekit.plugins import bey

  session = AgentSession(...)  # your agent, as it is

+ avatar = bey.AvatarSession(
+     api_url="${origin}",
+     api_key="YOUR_KEY",
+     avatar_id="${avatar.id}",  # ${avatar.name}
+ )
+ await avatar.start(session, room=ctx.room)
  await session.start(agent=MyAgent(), room=ctx.room)`,
    },
    {
      name: 'Node',
      note: 'LiveKit Agents with @livekit/agents-plugin-bey. Nothing else in your agent changes.',
      code: `
  import * as bey from '@livekit/agents-plugin-bey';

  const session = new voice.AgentSession({ ... }); // your agent, as it is

+ const avatar = new bey.AvatarSession({
+   apiUrl: '${origin}',
+   apiKey: 'YOUR_KEY',
+   avatarId: '${avatar.id}', // ${avatar.name}
+ });
+ await avatar.start(session, ctx.room);
  await session.start({ agent: new MyAgent(), room: ctx.room });`,
    },
    {
      name: 'Env',
      note: 'Both plugins read these variables. An agent that already uses a plugin needs no code change.',
      code: `
+ BEY_API_URL=${origin}
+ BEY_API_KEY=YOUR_KEY`,
    },
    {
      name: 'curl',
      note: 'Opens a session in a new room on the built-in media server. The response contains the tokens to join it.',
      code: `
+ curl -X POST ${origin}/v1/sessions \\
+   -H 'x-api-key: YOUR_KEY' \\
+   -H 'content-type: application/json' \\
+   -d '{"avatar_id": "${avatar.id}"}'`,
    },
  ];
}

/** The snippets with a key, if there is one. */
export const withKey = (snippets: Snippet[], key: string): Snippet[] =>
  snippets.map((snippet) => ({
    ...snippet,
    code: snippet.code.replaceAll('YOUR_KEY', key || 'YOUR_KEY'),
  }));

type CodeLine = { text: string; isNew: boolean };

/** The lines without their `+ ` marks. */
export const linesOf = ({ code }: Snippet): CodeLine[] =>
  code
    .split('\n')
    .slice(1)
    .map((line) => ({ text: line.slice(2), isNew: line.startsWith('+ ') }));

/** The text for the clipboard. */
export const textOf = (snippet: Snippet): string =>
  `${linesOf(snippet)
    .map(({ text }) => text)
    .join('\n')}\n`;

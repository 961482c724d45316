import type { Snippet } from '../../plugin/snippets.ts';

/** A published video service in a Pipecat pipeline. */
export const pipecatSnippet = (origin: string, avatar: { id: string; name: string }): Snippet => ({
  name: 'Pipecat',
  note: 'With pipecat-protoface, unmodified. Nothing else in your pipeline changes.',
  code: `
+ from pipecat_protoface import ProtofaceVideoService

+ avatar = ProtofaceVideoService(
+     api_url="${origin}/compat/protoface",
+     api_key="YOUR_KEY",
+     avatar_id="${avatar.id}",  # ${avatar.name}
+ )
  pipeline = Pipeline([
      transport.input(), stt, llm, tts,
+     avatar,
      transport.output(),
  ])`,
});

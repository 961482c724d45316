import { SnippetTabs } from './snippet-tabs.tsx';
import { snippetsFor } from './snippets.ts';

/** Code snippets that connect an agent's avatar plugin to this service. */
export function PluginGuide({ avatar }: { avatar: { id: string; name: string } }) {
  return <SnippetTabs snippets={snippetsFor(location.origin, avatar)} label="Your program" />;
}

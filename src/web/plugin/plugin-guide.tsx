import { SnippetTabs } from './snippet-tabs.tsx';
import { snippetsFor } from './snippets.ts';

/** The same choice for every builder: which program, and what to put into it. */
export function PluginGuide({ avatar }: { avatar: { id: string; name: string } }) {
  return <SnippetTabs snippets={snippetsFor(location.origin, avatar)} label="Your program" />;
}

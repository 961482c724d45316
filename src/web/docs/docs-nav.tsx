const pages = [
  ['/docs', 'Start here'],
  ['/docs/coming-from', 'Coming from'],
  ['/docs/botroom', 'Botrooms'],
  ['/docs/own-avatar', 'Your own avatar'],
  ['/docs/agents', 'Agents'],
  ['/docs/limits', 'Limits and errors'],
  ['/docs/webhooks', 'Webhooks'],
  ['/docs/one-machine', 'One machine'],
  ['/docs/systemd', 'Without Docker'],
  ['/docs/kubernetes', 'Kubernetes'],
  ['/docs/fleet', 'The fleet'],
  ['/docs/alerts', 'Objectives and alerts'],
  ['/docs/worker-protocol', 'Your own worker'],
  ['/docs/upgrade', 'Upgrades'],
  ['/docs/disasters', 'Disasters'],
  ['/docs/security', 'Security'],
  ['/docs/api', 'API reference'],
] as const;

export type DocsPath = (typeof pages)[number][0];

/** Links to all documentation pages. */
export function DocsNav({ path }: { path: DocsPath }) {
  return (
    <nav className="shell docs-nav" aria-label="Documentation">
      {pages.map(([to, name]) => (
        <a key={to} href={to} aria-current={to === path ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

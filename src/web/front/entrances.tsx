const ENTRANCES = [
  {
    title: 'I have an agent',
    text: 'Your LiveKit or Pipecat agent keeps its models and its room. One address gives it a face.',
    links: [
      ['/docs/livekit-agent', 'Connect a LiveKit agent'],
      ['/docs/coming-from', 'Switch from another vendor'],
      ['/try', 'See what goes over the wire'],
    ],
  },
  {
    title: 'I want an agent',
    text: 'Create one in the console. Give it instructions and files, then share its page or embed it.',
    links: [
      ['/console/agents', 'Create an agent'],
      ['/docs/agents', 'What agents can do'],
    ],
  },
  {
    title: 'I run it',
    text: 'One machine or many, on plain processors. Watch sessions and workers in the console.',
    links: [
      ['/console', 'Open the console'],
      ['/docs/one-machine', 'Deploy it'],
      ['/docs/fleet', 'Scale it'],
    ],
  },
] as const;

export function Entrances() {
  return (
    <section className="shell entrances" lang="en" aria-label="Next steps">
      {ENTRANCES.map(({ title, text, links }) => (
        <div key={title} className="entrance">
          <h2>{title}</h2>
          <p className="soft">{text}</p>
          <ul>
            {links.map(([href, label]) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

import type { ReactNode } from 'react';

export function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="stack-small">
      <h1>{title}</h1>
      <p className="soft">{children}</p>
    </div>
  );
}

import { createContext, useCallback, useContext, useEffect, useState, type ReactNode } from 'react';

const Say = createContext<(text: string) => void>(() => {});

/** Says what was done, for a few seconds and to screen readers. */
export const useSay = (): ((text: string) => void) => useContext(Say);

export function Notices({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<{ text: string } | null>(null);
  // Each notice is a new object, so that a repeated text is announced again.
  const say = useCallback((text: string) => setNotice({ text }), []);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(null), 5000);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <Say value={say}>
      {children}
      <div className="notices" role="status">
        {notice && <p className="notice">{notice.text}</p>}
      </div>
    </Say>
  );
}

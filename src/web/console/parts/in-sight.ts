import { useEffect, useState, type RefObject } from 'react';

/** Whether the element is on the screen. */
export function useInSight(element: RefObject<Element | null>): boolean {
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const watch = new IntersectionObserver((entries) => {
      setInSight(entries.at(-1)?.isIntersecting ?? false);
    });
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [element]);
  return isInSight;
}

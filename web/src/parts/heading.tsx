import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** The heading of what has just taken the place of something else: it takes the focus, so that it is read and found. */
export function Heading({
  children,
  quiet = false,
}: {
  readonly children: ComponentChildren;
  /** For the first thing on the page, which is read anyway. */
  readonly quiet?: boolean;
}): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (quiet) return;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}

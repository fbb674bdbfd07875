import type { ComponentChildren, VNode } from 'preact';
import { Heading } from './heading.js';
import { Icon, type IconName } from './icons.js';

/** A page that says where things stand and has nothing to fill in. */
export function Notice({
  icon,
  title,
  body,
  quiet = false,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  readonly body: string;
  readonly quiet?: boolean;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <div class={`notice ${icon}`}>
      <Icon name={icon} />
      <Heading quiet={quiet}>{title}</Heading>
      <p>{body}</p>
      {children}
    </div>
  );
}

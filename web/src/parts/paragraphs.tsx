import type { VNode } from 'preact';

/** A text of the flow, with its empty lines as paragraphs. */
export function Paragraphs({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text
        .split(/\n\s*\n/)
        .filter((part) => part.trim() !== '')
        .map((part) => (
          <p key={part} class="text">
            {part.trim()}
          </p>
        ))}
    </>
  );
}

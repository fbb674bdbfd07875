import type { VNode } from 'preact';
import { encode } from 'uqr';

/** A QR code, drawn here: the link goes to nobody. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): VNode {
  // Four modules of white around it, as readers need them (ISO/IEC 18004).
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  );
}

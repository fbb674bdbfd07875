import { useMemo, type ReactElement } from 'react';
import { encode } from 'uqr';

/** A QR code, drawn here: what stands in it goes to nobody. */
export function Qr({ text, label }: { text: string; label: string }): ReactElement {
  const { size, dark } = useMemo(() => {
    // Four modules of white around it, as readers need them (ISO/IEC 18004).
    const { data, size: modules } = encode(text, { ecc: 'M', border: 4 });
    const path = data.flatMap((row, y) => row.flatMap((on, x) => (on ? `M${x} ${y}h1v1h-1z` : [])));
    return { size: modules, dark: path.join('') };
  }, [text]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={dark} />
    </svg>
  );
}

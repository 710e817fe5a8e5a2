import { encode } from 'uqr'

/** Cells of quiet around the code (ISO/IEC 18004, section 6.3.8). */
const QUIET = 4

/** A QR code that we draw ourselves: the secret in it goes to no other service. Always dark on white, for old scanners. */
export function QrCode({ text, name }: { readonly text: string; readonly name: string }) {
  const { data, size } = encode(text, { border: QUIET, ecc: 'M' })
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={name}
      shapeRendering="crispEdges"
    >
      <path className="qr-ground" d={`M0 0h${size}v${size}H0z`} />
      <path className="qr-cells" d={cells.join('')} />
    </svg>
  )
}

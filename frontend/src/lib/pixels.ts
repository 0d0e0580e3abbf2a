/** How large a picture says it is. */
export interface Pixels {
  width: number;
  height: number;
}

// Drawn, a point takes four bytes, and a file of a few kilobytes can say that it has a billion points.
const MOST = 64_000_000;

/** Whether a picture can be drawn without all of the window waiting for it. */
export const isDrawable = ({ width, height }: Pixels) => width * height <= MOST;

/** What the head of a PNG, JPEG, GIF, WebP or AVIF says of its size; null where it says nothing. */
export function pixelsOf(bytes: ArrayBuffer): Pixels | null {
  const data = new DataView(bytes);
  const begins = (sign: string, at = 0) => [...sign].every((c, i) => data.getUint8(at + i) === c.charCodeAt(0));
  try {
    if (begins('\x89PNG')) return { width: data.getUint32(16), height: data.getUint32(20) };
    if (begins('GIF8')) return { width: data.getUint16(6, true), height: data.getUint16(8, true) };
    if (begins('\xff\xd8')) return jpeg(data);
    if (begins('RIFF') && begins('WEBP', 8)) return webp(data, begins);
    return begins('ftyp', 4) ? avif(data) : null;
  } catch (cause) {
    // It ends before it says so.
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

/** The first frame, behind segments of which each says how long it is. */
function jpeg(data: DataView): Pixels | null {
  for (let at = 2; ; at += 2 + data.getUint16(at + 2)) {
    while (data.getUint8(at) === 0xff && data.getUint8(at + 1) === 0xff) at++;
    const mark = data.getUint8(at + 1);
    if (data.getUint8(at) !== 0xff || mark === 0xda) return null;
    // Of the marks in that range these three are tables.
    if (mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)) {
      return { width: data.getUint16(at + 7), height: data.getUint16(at + 5) };
    }
  }
}

function webp(data: DataView, begins: (sign: string, at: number) => boolean): Pixels {
  const uint24 = (at: number) => data.getUint16(at, true) + (data.getUint8(at + 2) << 16);
  if (begins('VP8X', 12)) return { width: uint24(24) + 1, height: uint24(27) + 1 };
  if (begins('VP8L', 12)) {
    const bits = data.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
}

/** The largest of the sizes that its items have: what is shown may consist of several. */
function avif(data: DataView): Pixels | null {
  let largest: Pixels | null = null;
  const head = Math.min(data.byteLength - 16, 65_536);
  for (let at = 0; at < head; at++) {
    if (data.getUint32(at) !== 0x69737065) continue; // "ispe"
    const found = { width: data.getUint32(at + 8), height: data.getUint32(at + 12) };
    if (!largest || found.width * found.height > largest.width * largest.height) largest = found;
  }
  return largest;
}

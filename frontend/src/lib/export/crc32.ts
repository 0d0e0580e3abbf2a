const TABLE = new Uint32Array(256).map((_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** The checksum of a ZIP archive, continued from what came before. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let c = ~before;
  for (const byte of bytes) c = (c >>> 8) ^ (TABLE[(c ^ byte) & 0xff] ?? 0);
  return ~c >>> 0;
}

import { deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(data.length);
  const foot = Buffer.alloc(4);
  foot.writeUInt32BE(crc(body));
  return Buffer.concat([head, body, foot]);
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

/** A picture of eight by eight grey dots. */
export const PNG: Buffer = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  // Width and height, eight bits of grey, nothing special.
  chunk('IHDR', Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0])),
  chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: 8 }, () => Buffer.from([0, ...Array(8).fill(128)]))))),
  chunk('IEND', Buffer.alloc(0)),
]);

/** A picture of a few kilobytes that says it has this many points, black all of them; drawn they take gigabytes. */
export function bomb(side: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([1, 0, 0, 0, 0], 8); // one bit each
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodePicture } from './picture.rules.ts';

const chunk = (type: string, data: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
};

const [width, height] = [8, 4];

const png = (colourType: number, pixels: Buffer): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, colourType], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const pixels = (samples: number): Buffer => deflateSync(Buffer.alloc(height * (1 + width * samples)));
const decoded = (content: Buffer) => decodePicture(`data:image/png;base64,${content.toString('base64')}`);

const types = [
  ['grey', 0, 1],
  ['RGB', 2, 3],
  ['a palette', 3, 1],
  ['grey with alpha', 4, 2],
  ['RGB with alpha', 6, 4],
] as const;

describe.each(types)('a PNG in %s', (_, colourType, samples) => {
  it('can be drawn if it is whole', () => {
    const whole = png(colourType, pixels(samples));
    expect(decoded(whole)).toEqual(whole);
  });

  it('can’t if it is cut, or its pixels are damaged or too few', () => {
    const whole = png(colourType, pixels(samples));
    for (const length of [40, 60, whole.length - 12, whole.length - 1])
      expect(decoded(whole.subarray(0, length))).toBeUndefined();
    expect(decoded(png(colourType, Buffer.from('nonsense')))).toBeUndefined();
    expect(decoded(png(colourType, deflateSync(Buffer.alloc(height))))).toBeUndefined();
    expect(decoded(png(colourType, deflateSync(Buffer.alloc(100_000))))).toBeUndefined();
  });
});

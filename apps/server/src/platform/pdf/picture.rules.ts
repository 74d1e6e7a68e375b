import { inflateSync } from 'node:zlib';

const maxSide = 2000;
const maxBytes = 500_000;

/**
 * Decodes a picture that a document may contain: only grey or RGB, and no dimensions that need much memory to
 * unpack.
 */
export const decodePicture = (dataUrl: string | null): Buffer | undefined => {
  const [, type, base64 = ''] =
    /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl ?? '') ?? [];
  if (type === undefined || base64.length > (maxBytes * 4) / 3) return undefined;
  const content = Buffer.from(base64, 'base64');
  const info = type === 'png' ? pngInfo(content) : jpegInfo(content);
  return info && Math.max(info.width, info.height) <= maxSide && info.isDrawable ? content : undefined;
};

interface PictureInfo {
  width: number;
  height: number;
  isDrawable: boolean;
}

const pngSignature = '89504e470d0a1a0a0000000d49484452';

/** PNG, 11.2.2: the header comes first. Interlaced pictures are not drawn. */
const pngInfo = (content: Buffer): PictureInfo | undefined => {
  if (content.length < 33 || content.toString('hex', 0, 16) !== pngSignature) return undefined;
  const [width, height] = [content.readUInt32BE(16), content.readUInt32BE(20)];
  const samples = samplesByColourType[content.readUInt8(25)];
  const isPlain = content.readUInt8(28) === 0 && content.readUInt8(24) === 8 && width <= maxSide;
  const isDrawable = isPlain && samples !== undefined && hasPixels(content, height * (1 + width * samples));
  return { width, height, isDrawable };
};

/** Samples of a pixel: grey, RGB, palette, grey and RGB with alpha. */
const samplesByColourType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Whether its pixels can be unpacked. The PDF library unpacks those with alpha itself, where an error would end the process. */
const hasPixels = (content: Buffer, octets: number): boolean => {
  const packed = pixelChunks(content);
  try {
    return (
      packed !== undefined && inflateSync(packed, { maxOutputLength: Math.max(1, octets) }).length === octets
    );
  } catch {
    return false;
  }
};

/** PNG, 5.3: chunks of length, type, data and checksum, up to `IEND`. Undefined if the file is cut. */
const pixelChunks = (content: Buffer): Buffer | undefined => {
  const found: Buffer[] = [];
  for (let at = 8; at + 12 <= content.length; ) {
    const end = at + 8 + content.readUInt32BE(at);
    const type = content.toString('latin1', at + 4, at + 8);
    if (end + 4 > content.length) return undefined;
    if (type === 'IEND') return Buffer.concat(found);
    if (type === 'IDAT') found.push(content.subarray(at + 8, end));
    at = end + 4;
  }
  return undefined;
};

/** ITU-T T.81, B.2.2: the frame header contains the picture's size and number of colour components. */
const jpegInfo = (content: Buffer): PictureInfo | undefined => {
  if (content.length < 4 || content.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 10 <= content.length && content.readUInt8(at) === 0xff; ) {
    const marker = content.readUInt8(at + 1);
    if (marker === 0xc0 || marker === 0xc1 || marker === 0xc2) {
      const components = content.readUInt8(at + 9);
      return {
        height: content.readUInt16BE(at + 5),
        width: content.readUInt16BE(at + 7),
        isDrawable: components === 1 || components === 3,
      };
    }
    at += 2 + content.readUInt16BE(at + 2);
  }
  return undefined;
};

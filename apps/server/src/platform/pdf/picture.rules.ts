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
  return {
    width: content.readUInt32BE(16),
    height: content.readUInt32BE(20),
    isDrawable: content.readUInt8(28) === 0 && content.readUInt8(24) === 8,
  };
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

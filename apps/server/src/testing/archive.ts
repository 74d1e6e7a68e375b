import { CFB } from '@e965/xlsx';

/** The files of a ZIP archive, by their paths, as another program reads it. */
export const unpacked = (archive: Buffer): Map<string, string> => {
  const { FullPaths, FileIndex } = CFB.read(archive, { type: 'buffer' }) as {
    FullPaths: string[];
    FileIndex: { content?: Buffer }[];
  };
  return new Map(
    FullPaths.flatMap((path, index) => {
      const content = FileIndex[index]?.content;
      // An entry that the reader itself adds begins with a control character.
      return path.endsWith('/') || path.includes('\u0001') || !content
        ? []
        : [[path, Buffer.from(content).toString()] as const];
    }),
  );
};

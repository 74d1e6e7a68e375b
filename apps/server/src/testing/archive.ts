import { CFB } from '@e965/xlsx';

/** The files of a ZIP archive by path, as an independent program reads it. */
export const unzip = (archive: Buffer): Map<string, string> => {
  const { FullPaths, FileIndex } = CFB.read(archive, { type: 'buffer' }) as {
    FullPaths: string[];
    FileIndex: { content?: Buffer }[];
  };
  return new Map(
    FullPaths.flatMap((path, index) => {
      const content = FileIndex[index]?.content;
      // Entries that the reader itself adds begin with a control character.
      return path.endsWith('/') || path.includes('\u0001') || !content
        ? []
        : [[path, Buffer.from(content).toString()] as const];
    }),
  );
};

import { stat } from 'node:fs/promises';

/**
 * @throws Error for a pipe or device: the command reads its file more than once, and these are empty the second
 * time
 */
export const requireRereadable = async (path: string): Promise<{ size: number }> => {
  const stats = await stat(path);
  if (stats.isFile()) return stats;
  throw new Error(
    stats.isDirectory()
      ? `${path} is a directory`
      : `${path} can be read only once, but must be read more than once: write it to a file first`,
  );
};

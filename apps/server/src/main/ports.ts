/** Tries the wanted port, then the nine after it, then any free one; with `strict` only the first. */
export const listenNear = async <T>(
  wanted: number,
  strict: boolean,
  listen: (port: number) => Promise<T>,
): Promise<T> => {
  const candidates =
    strict || wanted === 0 ? [wanted] : [...Array.from({ length: 10 }, (_, index) => wanted + index), 0];
  for (const port of candidates) {
    try {
      return await listen(port);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const taken = code === 'EADDRINUSE' || code === 'EACCES';
      if (!taken || port === candidates.at(-1)) throw error;
    }
  }
  throw new Error('No port to listen on');
};

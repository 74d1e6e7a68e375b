/** Whether the server answers at all; a proxy that says it is away doesn't count. */
export const isReachable = async (): Promise<boolean> => {
  try {
    const { ok } = await fetch('/favicon.svg', { method: 'HEAD', credentials: 'omit', cache: 'no-store' });
    return ok;
  } catch {
    return false;
  }
};

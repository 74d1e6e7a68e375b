/** Whether the server itself responds; a proxy's report that it is down doesn't count. */
export const isReachable = async (): Promise<boolean> => {
  try {
    const { ok } = await fetch('/favicon.svg', { method: 'HEAD', credentials: 'omit', cache: 'no-store' });
    return ok;
  } catch {
    return false;
  }
};

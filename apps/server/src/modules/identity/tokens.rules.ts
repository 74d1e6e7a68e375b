/** Opaque tokens: a prefix, by which a leaked one is recognised, and 256 random bits. */
export const tokenKind = (prefix: string) => {
  const pattern = new RegExp(`^${prefix}[A-Za-z0-9_-]{43}$`);
  return {
    tokenOf: (random: Buffer): string => `${prefix}${random.toString('base64url')}`,
    /** Whether a text has the form of a token; others are refused without a query. */
    isToken: (text: string): boolean => pattern.test(text),
  };
};

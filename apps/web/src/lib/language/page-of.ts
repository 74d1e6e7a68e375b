/** The page of a path in any language, however it was typed: the router finds it in any letter case, and with a slash at its end. */
export const pageOf = (pathname: string): string =>
  pathname
    .replace(/^\/[^/]+/, '')
    .replace(/\/+$/, '')
    .toLowerCase();

/** Where Kannel's SMPP server is, or would be. */
export const opensmppbox: string;

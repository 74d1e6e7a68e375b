/** Path of Kannel's SMPP server, whether or not it exists. */
export const opensmppbox: string;

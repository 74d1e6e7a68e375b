export const shell = { title: 'x' };

export const identity = { title: 'x' };

export const legal = { title: 'x' };

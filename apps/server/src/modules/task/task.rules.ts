/** What people call a task by, in talk with each other and with support. */
export const referenceOf = (id: number): string => `T${String(id).padStart(8, '0')}`;

/** One task has one toast: whether it is followed, or only its end is news. */
export const toastKeyOf = (reference: string): string => `task:${reference}`;

/** Each task has one toast, whether it is followed or only its end is announced. */
export const toastKeyOf = (reference: string): string => `task:${reference}`;

/** An instant on a cycle's last day: a cycle's end is the start of the next one. */
export const lastInstantBefore = (endsAt: string): string => new Date(Date.parse(endsAt) - 1).toISOString();

/** An instant of a cycle's last day: a cycle ends where the next one begins. */
export const lastMomentOf = (endsAt: string): string => new Date(Date.parse(endsAt) - 1).toISOString();

/** From this share of the limit it needs attention; at the limit something has happened. */
const attention = 0.8;

export const usageTone = (used: number, limit: number | null): 'amount' | 'orange' | 'red' => {
  if (!limit || used < limit * attention) return 'amount';
  return used < limit ? 'orange' : 'red';
};

const numberOf = (month: string): number => {
  const [year = 0, ofYear = 1] = month.split('-').map(Number);
  return year * 12 + ofYear - 1;
};

/** All months, `YYYY-MM`, from one to another. */
export const monthsBetween = (first: string, last: string): string[] => {
  const from = numberOf(first);
  return Array.from({ length: numberOf(last) - from + 1 }, (_, index) => {
    const month = from + index;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
  });
};

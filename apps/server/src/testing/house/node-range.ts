type Version = readonly [major: number, minor: number, patch: number];

const comparator = /^(>=|<=|>|<|=|\^|~)?v?(\d+|[x*])(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?$/;

/** Whether a range of package.json's `engines` (node-semver, without hyphens and pre-releases) admits a version. */
export const admits = (range: string, version: Version): boolean =>
  range.split('||').some((alternative) =>
    alternative
      .trim()
      // The operator may be separated from its version.
      .replaceAll(/([<>=^~])\s+/g, '$1')
      .split(/\s+/)
      .every((part) => satisfies(part, version)),
  );

const satisfies = (part: string, version: Version): boolean => {
  const [, operator = '', ...numbers] = comparator.exec(part) ?? [];
  if (numbers.length === 0) return false;
  const stated = numbers.map(Number).filter((number) => Number.isInteger(number));
  // Omitted parts admit anything: 20 means from 20.0.0 up to, but not including, 21.0.0.
  const [from, to] = [boundary(stated), next(stated)];
  if (operator === '>=') return compare(version, from) >= 0;
  if (operator === '>') return compare(version, to) >= 0;
  if (operator === '<') return compare(version, from) < 0;
  if (operator === '<=') return compare(version, to) < 0;
  const end = { '^': next(stated.slice(0, 1)), '~': next(stated.slice(0, 2)) }[operator] ?? to;
  return compare(version, from) >= 0 && compare(version, end) < 0;
};

const boundary = ([major = 0, minor = 0, patch = 0]: readonly number[]): Version => [major, minor, patch];

/** The first version after all those that begin with these numbers. */
const next = (stated: readonly number[]): Version => {
  const last = stated.length - 1;
  if (last < 0) return [Number.POSITIVE_INFINITY, 0, 0];
  return boundary(stated.map((number, index) => (index === last ? number + 1 : number)));
};

const compare = (left: Version, right: Version): number =>
  left[0] - right[0] || left[1] - right[1] || left[2] - right[2];

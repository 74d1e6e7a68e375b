/** Degrees in the format of URLs and calls, with the precision limited: five decimals are a metre. */
export const degreesText = (degrees: number): string => String(Number(degrees.toFixed(5)));

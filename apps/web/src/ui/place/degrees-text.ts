/** Degrees as addresses and calls take them, whatever a file gave of them: five decimals are a metre. */
export const degreesText = (degrees: number): string => String(Number(degrees.toFixed(5)));

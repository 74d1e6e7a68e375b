/** The 15th digit is a check digit or a version: the first 14 identify the device (TS 23.003, 6.2.1). */
const deviceDigits = 14;

export const deviceOf = (imei: string): string => imei.slice(0, deviceDigits);

/** Hours, minutes and seconds, written as everywhere: 0:01:30. */
export const elapsedText = (seconds: number): string => {
  const two = (amount: number): string => String(amount).padStart(2, '0');
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};

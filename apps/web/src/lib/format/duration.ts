/** Hours, minutes and seconds, the same in all languages: 0:01:30. Days are shown as hours, so that durations stay comparable. */
export const durationText = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (amount: number): string => String(amount).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
};

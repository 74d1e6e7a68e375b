/** The fields that become something else, as they were and as they become. */
export const changesOf = (
  was: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): { before: Record<string, unknown>; after: Record<string, unknown> } => {
  const fields = Object.keys(wanted).filter(
    (name) => JSON.stringify(was[name]) !== JSON.stringify(wanted[name]),
  );
  const only = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(fields.map((name) => [name, values[name]]));
  return { before: only(was), after: only(wanted) };
};

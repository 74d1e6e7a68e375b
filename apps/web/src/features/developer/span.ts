/** A period of the address as the server takes it: its last instant included. */
export const spanOf = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to: new Date(Date.parse(to) + 1).toISOString() }),
});

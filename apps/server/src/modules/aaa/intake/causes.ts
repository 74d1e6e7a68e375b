/** Terminate causes that we give to sessions whose end was not reported; a gateway's own names are RFC 2866's. */
export const silence = 'Silence';
export const superseded = 'Superseded';
/** RFC 2866, 5.10: of a gateway that said so, or that begins an open session again. */
export const nasReboot = 'NAS-Reboot';

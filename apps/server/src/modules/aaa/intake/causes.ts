/** Terminate causes for sessions whose end was not reported; gateways use the names of RFC 2866. */
export const silence = 'Silence';
export const superseded = 'Superseded';
/** RFC 2866, 5.10: its gateway replied that it has no such session. */
export const lostService = 'Lost-Service';
/** RFC 2866, 5.10: the gateway reported a reboot, or began an open session again. */
export const nasReboot = 'NAS-Reboot';
/** RFC 2866, 5.10: a person reset its SIM. */
export const adminReset = 'Admin-Reset';

/** The value of a signed cookie, without its signature. Empty if there is no signature. */
export const valueOfSigned = (signed: string): string => signed.slice(0, Math.max(signed.lastIndexOf("."), 0));

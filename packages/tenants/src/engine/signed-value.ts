/** What a signed cookie holds in front of its signature; nothing where there is no signature. */
export const valueOfSigned = (signed: string): string => signed.slice(0, Math.max(signed.lastIndexOf("."), 0));

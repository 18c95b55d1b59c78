/** A lower-case DNS label. */
export const SLUG = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** How many requests a side gets at once. */
export const AT_ONCE = [1, 8];

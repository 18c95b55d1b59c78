/** Quotes the name of a table, column or index. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

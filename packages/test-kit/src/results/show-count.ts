/** 1000000 as 1,000,000. */
export const showCount = (value: number): string => value.toLocaleString("en-US");

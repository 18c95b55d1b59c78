import { isOlder } from "./check-versions.ts";

/** The newest version of Better Auth that the whole suite ran with. */
export const NEWEST_TESTED = "1.7.22";

/** Whether the engine may be used in ways that a later version could change. Lower versions than 1.7.7 are refused anyway. */
export const isTestedEngine = (version: string): boolean => !isOlder(NEWEST_TESTED, version);

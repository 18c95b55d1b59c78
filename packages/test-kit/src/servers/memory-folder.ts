import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** Containers often have 64 MB there. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** The folder for short-lived files: in memory if there is room, where syncing costs nothing. */
export const memoryFolder = (): string => {
	if (!existsSync(MEMORY)) return tmpdir();
	const { bavail, bsize } = statfsSync(MEMORY);
	return bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir();
};

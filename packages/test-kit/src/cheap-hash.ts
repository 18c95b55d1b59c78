import { createHash } from "node:crypto";

const digest = (password: string): string => createHash("sha256").update(password).digest("hex");

/** scrypt takes 100 ms on purpose; whatever is not about it uses this. */
export const cheapHash = {
	hash: async (password: string) => digest(password),
	verify: async ({ hash, password }: { hash: string; password: string }) => digest(password) === hash,
};

import { createHash } from "node:crypto";

const digest = (password: string): string => createHash("sha256").update(password).digest("hex");

/** scrypt takes 100 ms by design. Tests of other subjects use this. */
export const cheapHash = {
	hash: async (password: string) => digest(password),
	verify: async ({ hash, password }: { hash: string; password: string }) => digest(password) === hash,
};

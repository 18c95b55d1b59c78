import type { AuthContext } from "@better-auth/core";
import { knowledge } from "./request-knowledge.ts";

type Password = AuthContext["password"];

/** Remembers the hashes of the passwords that a request contains, so that no endpoint has to be known by its path. */
export const rememberPasswords = (password: Password): Password => ({
	...password,
	hash: async (text) => {
		const hash = await password.hash(text);
		knowledge()?.hashes.add(hash);
		return hash;
	},
	verify: async (data) => {
		const isRight = await password.verify(data);
		if (isRight) knowledge()?.hashes.add(data.hash);
		return isRight;
	},
});

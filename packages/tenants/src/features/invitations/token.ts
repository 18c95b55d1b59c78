import { generateRandomString } from "better-auth/crypto";
import { sha256Text } from "../../lib/sha256.ts";

/** A new token, with 190 bits of randomness. The mail contains it, with the tenant added. */
export const newToken = (): string => generateRandomString(32, "a-z", "A-Z", "0-9");

/** What is stored of a token. It is random, so a fast hash without a salt is enough. */
export const storedToken = (token: string): Promise<string> => sha256Text(token);

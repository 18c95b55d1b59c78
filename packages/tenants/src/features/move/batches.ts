import { APIError } from "@better-auth/core/error";
import type { MoveCollision } from "./collision.ts";

/** Thrown inside a transaction to roll it back. */
export class Collided extends Error {
	readonly collisions: MoveCollision[];
	constructor(collisions: MoveCollision[]) {
		super("moveUsersToTenant: a parallel request prevents the move");
		this.collisions = collisions;
	}
}

export const batchesOf = (ids: string[], size: number): string[][] =>
	Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => ids.slice(at * size, (at + 1) * size));

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const ATTEMPTS = 5;

/** Retries, because a parallel request can deadlock with the transaction or take a unique value first. */
export const retrying = async <Result>(work: () => Promise<Result>): Promise<Result> => {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await work();
		} catch (error) {
			if (attempt === ATTEMPTS || error instanceof Collided || error instanceof APIError) throw error;
			await sleep(attempt * 50);
		}
	}
};

import { expect, it } from "vitest";
import { refuseIfLate } from "../../src/limits/refuse.ts";

it("refuses a request that cannot be counted", async () => {
	const failing = async (): Promise<number> => {
		throw new Error("the store is down");
	};
	await expect(refuseIfLate(failing, "acme")).rejects.toMatchObject({
		status: "SERVICE_UNAVAILABLE",
		body: { code: "STORE_UNAVAILABLE" },
	});
	await expect(refuseIfLate(async () => 0, "acme")).resolves.toBeUndefined();
});

import type { BetterAuthPlugin } from "better-auth";
import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { createGate } from "../admin/support/gate.ts";
import { createRightsWorld } from "./support/rights-world.ts";

/** Waits when the change of a user is committed, once. */
const pausing = () => {
	const [reached, released] = [createGate(), createGate()];
	let isOn = false;
	const after = async () => {
		if (!isOn) return;
		isOn = false;
		reached.open();
		await released.opened;
	};
	const plugin: BetterAuthPlugin = {
		id: "pause",
		init: () => ({ options: { databaseHooks: { user: { update: { after } } } } }),
	};
	const start = () => {
		isOn = true;
	};
	return { plugin, start, reached: reached.opened, release: released.open };
};

// threat 161
it("a reset of the second factor leaves none that a session from before began meanwhile", async () => {
	const pause = pausing();
	const { world, inA, inB, operate, stored } = await createRightsWorld({ plugins: [pause.plugin] });
	pause.start();
	const resetting = operate("reset-second-factor", inA.member);
	await pause.reached;
	const begin = ({ browser }: typeof inA.member) =>
		world.call("/two-factor/enable", { browser: browser.copy(), body: { password: PASSWORD } });
	const [begun, neighbor] = [await begin(inA.member), await begin(inB.member)];
	pause.release();
	expect((await resetting).status).toBe(200);
	expect([begun.status, await stored("twoFactor", inA.member)]).toEqual([401, []]);
	expect([neighbor.status, (await stored("twoFactor", inB.member)).length]).toEqual([200, 1]);
});

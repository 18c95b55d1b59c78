import { expect, it } from "vitest";
import { describeTest } from "../../src/tenant/providers/test-result.ts";

// threat 135
it.each(["<img src=x>", "Call +1 555 0100 to fix this", "constructor", "__proto__", "toString", ""])(
	"shows a text of its own if a provider's page returns the code %j",
	(error) => {
		expect(describeTest({ isOk: false, error })).toBe(describeTest({ isOk: false, error: "unexpected_error" }));
	},
);

it("says what to do about a known code", () => {
	expect(describeTest({ isOk: false, error: "invalid_client" })).toBe("The client ID or the client secret is wrong.");
	expect(describeTest({ isOk: true, error: null })).toContain("accepted");
});

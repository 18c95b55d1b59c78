import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";
import { requireLiveStorage } from "../../src/scope/sessions/require-live-storage.ts";

it("changes no user, and any other row, while the storage does not respond", async () => {
	const { auth } = await createWorld();
	const { adapter } = await auth.$context;
	const changed: string[] = [];
	const methods = {
		...adapter,
		update: async <Row>({ model }: { model: string }): Promise<Row | null> => {
			changed.push(`one ${model}`);
			return null;
		},
		updateMany: async ({ model }: { model: string }) => changed.push(`many ${model}`),
	};
	const get = async () => {
		throw new Error("Redis is down");
	};
	const { update, updateMany } = requireLiveStorage({ get }, (model) => model === "user")(methods);
	const [users, accounts] = ["user", "account"].map((model) => ({ model, where: [], update: { name: "Ada" } }));
	if (!users || !accounts) throw new Error("two queries");
	await expect(update(users)).rejects.toThrow("Redis is down");
	await expect(updateMany(users)).rejects.toThrow("Redis is down");
	await update(accounts);
	await updateMany(accounts);
	expect(changed).toEqual(["one account", "many account"]);
});

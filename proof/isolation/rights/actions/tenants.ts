import { endOf, type Plan } from "../step.ts";
import { rightOf, someAdmin } from "./administration.ts";

export const suspend: Plan = ({ model, world, roll }) => {
	const tenant = model.anyTenant(roll);
	const body = { tenantId: tenant.id, reason: "model" };
	return {
		name: "suspend a tenant",
		right: null,
		about: null,
		send: () => world.call("/tenant/suspend", { isOperator: true, body }),
		ends: () => [endOf("suspend", tenant, null)],
	};
};

export const restore: Plan = ({ model, world, roll }) => {
	const tenant = model.anyTenant(roll);
	const isEnding = roll.chance(30);
	const body = { tenantId: tenant.id, ...(isEnding ? { endSessions: true } : {}) };
	return {
		name: isEnding ? "restore a tenant and end sessions" : "restore a tenant",
		right: null,
		about: null,
		send: () => world.call("/tenant/restore", { isOperator: true, body }),
		ends: () => (isEnding ? [endOf("restore-ending", tenant, null)] : []),
		undoes: { kinds: ["suspend"], tenant, person: null },
	};
};

/** The rules that end sessions, and the ones that do not. */
const POLICIES: [Policy, ...Policy[]] = [
	{ methods: ["phoneNumber"] },
	{ secondFactor: "required" },
	{ methods: "any" },
	{ secondFactor: "optional" },
];

type Policy = { methods: "any" | ["phoneNumber"] } | { secondFactor: "required" | "optional" };

export const changePolicy: Plan = (given) => {
	const { model, world, roll } = given;
	const tenant = model.anyTenant(roll);
	const policy = roll.oneOf(POLICIES);
	const kind = "methods" in policy ? ("methods" as const) : ("factor" as const);
	const isStrict = !("methods" in policy ? policy.methods === "any" : policy.secondFactor === "optional");
	const by = someAdmin(given, { tenant });
	const call = { ...by.call, body: { tenantId: tenant.id, policy, force: true } };
	return {
		name: `set a policy (${Object.values(policy).flat().join()}) by ${by.name}`,
		right: rightOf(by, "owner"),
		about: by.admin?.person ?? null,
		send: () => world.call("/tenant/policy/update", call),
		...(isStrict ? { ends: () => [endOf(kind, tenant, null)] } : { undoes: { kinds: [kind], tenant, person: null } }),
	};
};

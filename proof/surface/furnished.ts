import { COMPANION_SURFACE } from "./companion-surface.ts";
import { createSurface, endpointsOf, type Method, type SurfaceOptions } from "./engine.ts";
import type { Row } from "./row.ts";
import { furnish, MARK } from "./side.ts";
import { SURFACE } from "./surface.ts";
import { changedTables, createSweep, leaksIn, type Outcome, of, outside, rowsOf, secretsOf } from "./sweep.ts";

export type Step = { path: string; method: Method; row: Row };
export type Furnished = Awaited<ReturnType<typeof createFurnished>>;

/** The only secret of B that is public where an endpoint tells the names of tenants. */
export const NAME_OF_B = `${MARK}-tenant`;

/** Tenants A and B and the platform, equal except for their secrets, and one step per endpoint and method. */
export const createFurnished = async (options: SurfaceOptions) => {
	const world = await createSurface(options);
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	await world.database.query(`update "tenant" set "name" = '${NAME_OF_B}' where "id" = '${b}'`);
	const sideA = await furnish(world, { tenant: a, label: "acme", marked: false });
	const sideB = await furnish(world, { tenant: b, label: "globex", marked: true });
	const platform = await furnish(world, { tenant: undefined, label: "platform", marked: true });
	const sweep = await createSweep(world);
	const secrets = secretsOf(rowsOf(sweep.base, outside(a)), rowsOf(sweep.base, of(a)));
	const steps = endpointsOf(world).flatMap(({ path, methods }) =>
		methods.flatMap((method): Step[] => {
			const row = path === undefined ? undefined : (SURFACE[path] ?? COMPANION_SURFACE[path]);
			return path !== undefined && row ? [{ path, method, row }] : [];
		}),
	);
	/** Nothing outside of A may change, and none of its data may be revealed. */
	const problems = (outcome: Outcome, row?: Row): string[] => [
		...changedTables(outcome.before, outcome.after, outside(a)).map((name) => `changed ${name}`),
		...leaksIn(outcome, secrets).map((leak) => `told ${leak}`),
		...sweep.brokenRows(outcome.after),
		...(outcome.status >= 500 && outcome.status !== row?.fails ? [`answered ${outcome.status}`] : []),
	];
	/** A session names its tenant. Requests that ignore sessions need the hint. */
	const hintFor = ({ kind }: Row): string | undefined => (kind === "member" ? undefined : a);
	return { world, a, b, sideA, sideB, platform, sweep, steps, problems, secrets, hintFor };
};

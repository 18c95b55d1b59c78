import { createAuthEndpoint } from "@better-auth/core/api";
import { getCurrentAdapter } from "@better-auth/core/context";
import { dispatchAuthEndpoint, getSessionFromCtx, signInSocial } from "better-auth/api";
import { globalProviders, registerClient, useIdentityProvider } from "test-kit/social";
import { createWorld, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

const idp = useIdentityProvider();
const plainly = { asResponse: false, returnHeaders: false, returnStatus: false } as const;

// threat 53
describe("a context passed from one endpoint to another", () => {
	it("is scoped again if it contains Better Auth's unscoped parts", async () => {
		const own: { world?: World } = {};
		const secret = createAuthEndpoint("/secret", { method: "GET" }, async ({ context }) => ({
			secret: context.secret,
		}));
		const mixed = createAuthEndpoint("/mixed", { method: "GET" }, async (ctx) => {
			const context = { ...ctx.context, ...((await own.world?.auth.$context) as object) };
			return dispatchAuthEndpoint(secret, { ...ctx, ...plainly, context });
		});
		const world = await createWorld({ plugins: [{ id: "mixing", endpoints: { secret, mixed } }] });
		own.world = world;
		const tenant = await world.newTenant();
		const [right, seen] = [await world.call("/secret", { tenant }), await world.call("/mixed", { tenant })];
		expect(seen.json).toEqual(right.json);
	});

	it("keeps its own adapter as the current one, after work in another tenant", async () => {
		const own: { world?: World; b?: string } = {};
		const same = createAuthEndpoint("/same", { method: "GET" }, async ({ context }) => ({
			same: (await getCurrentAdapter(context.adapter)) === context.adapter,
		}));
		const outer = createAuthEndpoint("/outer", { method: "GET" }, async (ctx) => {
			await runWithTenant(own.b ?? "", async () => own.world?.auth.api.getSession({ headers: new Headers() }));
			return dispatchAuthEndpoint(same, { ...ctx, ...plainly });
		});
		const world = await createWorld({ plugins: [{ id: "visiting", endpoints: { same, outer } }] });
		own.world = world;
		const tenant = await world.newTenant();
		own.b = await world.newTenant();
		expect((await world.call("/outer", { tenant })).json).toEqual({ same: true });
	});

	it("carries neither its session nor its providers into another tenant", async () => {
		const own: { b?: string } = {};
		const social = signInSocial();
		const who = createAuthEndpoint("/who", { method: "POST" }, async (ctx) => ({
			email: (await getSessionFromCtx(ctx))?.user.email ?? null,
		}));
		const visit = createAuthEndpoint("/visit", { method: "POST" }, async (ctx) => {
			await getSessionFromCtx(ctx);
			const body = { provider: "gitlab", callbackURL: "/home", disableRedirect: true };
			const look = async () => ({
				...((await dispatchAuthEndpoint(who, { ...ctx, ...plainly })) as object),
				...((await dispatchAuthEndpoint(social, { ...ctx, ...plainly, body })) as { url: string }),
			});
			return { here: await look(), there: await runWithTenant(own.b ?? "", look) };
		});
		const world = await createWorld({
			engine: { socialProviders: { gitlab: globalProviders(idp()).gitlab } },
			plugins: [{ id: "visiting", endpoints: { who, visit } }],
		});
		const a = await world.newTenant();
		own.b = await world.newTenant();
		await registerClient(world, idp(), a, "client-of-a");
		await registerClient(world, idp(), own.b, "client-of-b");
		const browser = await world.signUp(a, "ada@example.com");
		type Look = { email: string | null; url: string };
		const { here, there } = JSON.parse((await world.call("/visit", { browser, body: {} })).text) as Record<
			"here" | "there",
			Look
		>;
		const clientOf = ({ url }: Look) => new URL(url).searchParams.get("client_id");
		expect([here.email, clientOf(here)]).toEqual(["ada@example.com", "client-of-a"]);
		expect([there.email, clientOf(there)]).toEqual([null, "client-of-b"]);
	});
});

import * as z from "zod";
import type { Started } from "./start.ts";

const AT_ONCE = 60;
const made = z.object({ id: z.string() });
const signedIn = z.object({ user: z.object({ tenantId: z.string() }) });

/**
 * Sends many sign-ins at once to two tenants of a deployment that runs one at a time for each. All have to succeed, each in its
 * own tenant. Returns what did not, as a statement that failed.
 */
export const checkTurns = async ({ origin, managementKey }: Started): Promise<{ id: string; reason: string }[]> => {
	const call = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
		fetch(`${origin}/bounded/auth${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", origin, ...headers },
			body: JSON.stringify(body),
		});
	const tenants: string[] = [];
	for (const slug of ["turns-acme", "turns-globex"]) {
		const created = await call("/tenant/create", { name: slug, slug }, { authorization: `Bearer ${managementKey}` });
		const { id } = made.parse(await created.json());
		await call("/tenant/sign-up/email", { tenantId: id, name: "Ada", email: "ada@example.com", password: `of ${id}` });
		tenants.push(id);
	}
	const wrong = new Set<string>();
	await Promise.all(
		Array.from({ length: AT_ONCE }, async (_, index) => {
			const tenantId = tenants[index % tenants.length] ?? "";
			const answer = await call("/tenant/sign-in/email", {
				tenantId,
				email: "ada@example.com",
				password: `of ${tenantId}`,
			});
			const text = await answer.text();
			if (!answer.ok) wrong.add(`${answer.status} ${text.slice(0, 200)}`);
			else if (signedIn.parse(JSON.parse(text)).user.tenantId !== tenantId) wrong.add("a user of another tenant");
		}),
	);
	return [...wrong].map((reason) => ({ id: "limitConcurrency", reason }));
};
